/** Codes with which AWS refuses a request because of its time. Nothing was done. */
const refusals =
  /RequestTimeTooSkewed|RequestExpired|RequestInTheFuture|InvalidSignatureException|SignatureDoesNotMatch|AuthFailure/;

/** Difference in milliseconds that AWS accepts. */
const tolerance = 300_000;

export type Clock = ReturnType<typeof createClock>;

/** The time of the server, as far as its refusals tell: requests are signed with it. */
export function createClock() {
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  return {
    now,
    /**
     * Corrects the clock if a response refuses a request because of its time.
     *
     * @param signed the time of the request: one beside it may have corrected the clock since
     * @returns whether the request is worth sending again
     */
    corrects(
      {
        statusCode,
        headers,
        body,
      }: { statusCode: number; headers: { date?: string | undefined }; body: Buffer },
      signed: Date,
    ): boolean {
      const server = Date.parse(headers.date ?? '');
      if (statusCode < 400 || !(Math.abs(server - signed.getTime()) >= tolerance)) return false;
      if (!refusals.test(body.toString())) return false;
      offset = server - Date.now();
      return true;
    },
  };
}
