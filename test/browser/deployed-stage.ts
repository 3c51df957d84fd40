/** What was deployed: as browsers know it, and where this machine finds it. */
export type DeployedStage = {
  /** The address of the service, and of what takes the requests for it. */
  url: string;
  door: string;
  project: { project_id: string; secret: string };
  /** Where the mails are. */
  emulator: string;
};

/** The variable by which `npm run test:deployed` has the journeys run at what it has deployed. */
const variable = 'DEPLOYED_STAGE';

export const inEnvironment = (stage: DeployedStage) => ({ [variable]: JSON.stringify(stage) });

export function fromEnvironment(): DeployedStage | undefined {
  const stage = process.env[variable];
  return stage === undefined ? undefined : (JSON.parse(stage) as DeployedStage);
}

/** Of the project in which the journeys are. */
export const branding = {
  color: '#b0228c',
  links: {
    home: 'http://localhost/',
    terms: 'http://localhost/terms',
    privacy: 'http://localhost/privacy',
  },
};
