/** Whether an invitation can be accepted: a matter of the time alone, so nothing has to happen for it to end. */
export const isOpen = (
  { invitation_expires_at }: { invitation_expires_at: string },
  now: Date,
): boolean => invitation_expires_at > now.toISOString();
