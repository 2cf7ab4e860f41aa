/** Why there is no microphone; each has its own words and way out ([dashboard.softphone.4]). */
export type MicrophoneFault = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed'

export interface MicrophoneWish {
  /** Lets the browser cancel echo, suppress noise and steer the gain. */
  readonly hasVoiceProcessing: boolean
  /** The id of the device; null leaves the choice to the browser. */
  readonly deviceId: string | null
}

/** Asks for the microphone. Resolves to a fault when there is none; the call goes on without one. */
export async function openMicrophone({
  hasVoiceProcessing,
  deviceId,
}: MicrophoneWish): Promise<MediaStream | MicrophoneFault> {
  // Browsers hide devices from pages that came over plain http.
  if (!isSecureContext || !('mediaDevices' in navigator)) return 'insecure'
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        channelCount: 1,
        echoCancellation: hasVoiceProcessing,
        noiseSuppression: hasVoiceProcessing,
        autoGainControl: hasVoiceProcessing,
        ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
      },
    })
  } catch (error) {
    return faultOf(error)
  }
}

/** The names are those of Media Capture and Streams, 10.2.2. */
function faultOf(error: unknown): MicrophoneFault {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'missing'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'failed'
  }
}
