/** A deployed service: its public URL, and how this machine reaches it. */
export type DeployedStage = {
  /** The public URL of the service, and the local address that serves its requests. */
  url: string;
  door: string;
  project: { project_id: string; secret: string };
  /** The address of the emulator, which has the mails. */
  emulator: string;
};

/** Set by `npm run test:deployed`: the journeys run against this stage. */
const variable = 'DEPLOYED_STAGE';

export const inEnvironment = (stage: DeployedStage) => ({ [variable]: JSON.stringify(stage) });

export function fromEnvironment(): DeployedStage | undefined {
  const stage = process.env[variable];
  return stage === undefined ? undefined : (JSON.parse(stage) as DeployedStage);
}

/** The branding of the project that the journeys use. */
export const branding = {
  color: '#b0228c',
  links: {
    home: 'http://localhost/',
    terms: 'http://localhost/terms',
    privacy: 'http://localhost/privacy',
  },
};
