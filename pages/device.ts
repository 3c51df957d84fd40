import { rememberDevice } from '../client/device.ts';
import { projectId } from './address.ts';

/** That this browser has signed somebody in to the project. */
export const device = rememberDevice(projectId);
