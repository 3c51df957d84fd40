/** What a client of the SDK needs beside the address to call a server of this machine. */
export const local = {
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
