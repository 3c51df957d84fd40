/** The dialog that asks somebody again who they are; `onEnd` ends it. */
export type Asking = { onEnd: (proven: boolean) => void };
let showAsking: (asking: Asking | undefined) => void = () => {};

/** Shows and hides that dialog. */
export function onAsk(listener: typeof showAsking): void {
  showAsking = listener;
}

let pendingProof: Promise<boolean> | undefined;
let end: Asking['onEnd'] = () => {};

/** Whether who is signed in has proven it: asked once for all that waits for it. */
export const askAgain = (): Promise<boolean> =>
  (pendingProof ??= new Promise<boolean>((onEnd) => {
    end = onEnd;
    showAsking({ onEnd });
  }).finally(() => {
    pendingProof = undefined;
    showAsking(undefined);
  }));

/** Ends the dialog, if it is there, of somebody who has signed out and has nothing to prove. */
export const endAsking = (): void => end(false);
