import { ApiError } from '../../model/errors.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses what a page of another site loads into itself, such as an image or a frame: with images alone any page could
 * use up the limits of its visitor's network. A person who leaves for the route brings the whole tab. Browsers that do
 * not send these headers, and programs, are let in; no script can set either. Throws `forbidden`.
 */
export const navigation = {
  before({ event: { headers } }: Exchange): void {
    const { 'sec-fetch-site': site, 'sec-fetch-dest': destination = 'document' } = headers;
    if (site === 'cross-site' && destination !== 'document')
      throw new ApiError('forbidden', { reason: 'loaded by a page of another site' });
  },
};
