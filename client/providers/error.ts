import type { OfferedProvider } from './title.ts';

/**
 * Why nobody has signed in and nothing was linked. `code` is that of the service: `access_denied` if the person went
 * back at the provider, `provider_failed`, `temporarily_unavailable`, `sign_in_method_disabled`. Or that of this entry:
 * - `state_mismatch`: this tab has not asked for the answer, or had it before. Begin again.
 * - `storage_unavailable`: the browser keeps nothing for this page, so that nobody could come back. The page was not left.
 * - `signed_out`, `other_user`: who began to link is not signed in, or somebody else is.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: string;
  /** The provider that was asked, where it is known, and as people know it. */
  readonly provider: string | undefined;
  readonly title: string | undefined;

  constructor(code: string, provider?: OfferedProvider) {
    super(code);
    this.code = code;
    this.provider = provider?.name;
    this.title = provider?.title;
  }
}
