import { qrCode } from '../../client/qr-code.ts';

/** A QR code of a text, dark on light in every color scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrCode(text);
  if (!code) return null;
  const { size, dark } = code;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={dark} shape-rendering="crispEdges" />
    </svg>
  );
}
