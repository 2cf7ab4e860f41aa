import { useState } from 'preact/hooks'
import { encode } from 'uqr'

/** ISO 18004: the quiet zone is four modules. */
const QUIET_MODULES = 4

interface QrPictureProps {
  /** It stays while the picture stands. */
  readonly text: string
  readonly label: string
}

/** A text as a QR code, black on white in any theme; as large as the place it stands in. */
export function QrPicture({ text, label }: QrPictureProps) {
  const [{ size, data }] = useState(() => encode(text, { ecc: 'M', border: QUIET_MODULES }))
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={dark.join('')} fill="#000000" />
    </svg>
  )
}
