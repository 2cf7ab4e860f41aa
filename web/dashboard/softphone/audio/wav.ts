/** Bytes of the header before the samples. */
export const HEADER_BYTES = 44

/**
 * The header of a WAV file of 16-bit stereo samples (RIFF, WAVE form with a `fmt ` chunk of PCM). `dataBytes` are the
 * bytes of all samples behind it.
 */
export function wavHeader(rateHz: number, dataBytes: number): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES))
  const channels = 2
  const frameBytes = channels * 2
  putText(header, 0, 'RIFF')
  header.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  putText(header, 8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, channels, true)
  header.setUint32(24, rateHz, true)
  header.setUint32(28, rateHz * frameBytes, true)
  header.setUint16(32, frameBytes, true)
  header.setUint16(34, 16, true)
  putText(header, 36, 'data')
  header.setUint32(40, dataBytes, true)
  return header.buffer
}

function putText(view: DataView, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i))
}
