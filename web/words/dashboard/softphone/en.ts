/** English words of the softphone; the other languages have the same keys. */
export const words = {
  heading: 'Phone',
  number: 'Call from',
  noNumber: 'No number can call yet. Connect a number first.',
  official:
    'Calls of official numbers run over a connection that your own program offers, so this page cannot carry their sound.',
  to: 'Phone number',
  toHint: 'With country code, for example +49 170 1234567',
  dial: 'Call',
  accept: 'Answer',
  reject: 'Decline',
  hangup: 'Hang up',
  mute: 'Mute the microphone',
  record: 'Record',
  stopRecord: 'Stop recording',
  recording: 'Save the recording',
  keys: 'Keys',
  key: (digit: string) => `Key ${digit}`,
  voiceProcessing: 'Cancel echo and noise',
  microphone: 'Microphone',
  usualMicrophone: 'The browser’s choice',
  status: {
    placing: 'Calling…',
    INITIATED: 'Calling…',
    RINGING: 'Ringing',
    ACCEPTED: 'In a call',
  },
  incoming: 'Incoming call',
  link: {
    opening: 'The sound is being connected…',
    lost: 'The sound is lost. The call goes on for 30 seconds while it is connected again…',
    taken: 'Another page has taken this call over.',
  },
  takeBack: 'Take the call back',
  giveBack: 'Give the call back to the bot',
  ended: {
    COMPLETED: 'The call is over.',
    REJECTED: 'The call was declined.',
    MISSED: 'Nobody answered.',
    FAILED: 'The call failed.',
  },
  lost: 'The connection did not come back, so the call was hung up.',
  barred:
    'The sound of this call comes from a host that was added after this page was loaded, so the call was hung up. Load the page again, then call once more.',
  /** Words for codes of refusals. */
  codes: {
    CHANNEL_INSTANCE_NOT_CONNECTED: 'The number is not connected. Connect it, then call again.',
    CALL_INVALID_STATE: 'The call is over, or somebody else took it.',
  },
  because: (code: string) => `Reason: ${code}`,
  faults: {
    refused:
      'This page may not use the microphone, so you are not heard. Allow it beside the address of the page, then try again.',
    missing: 'No microphone was found, so you are not heard. Connect one, then try again.',
    busy: 'Another program uses the microphone, so you are not heard. Close it there, then try again.',
    insecure: 'Browsers give no microphone to pages without https, so you are not heard. Open this page by https.',
    failed: 'The microphone could not be opened, so you are not heard.',
  },
  again: 'Try the microphone again',
  meters: { mic: 'Your microphone', peer: 'The other side' },
  decibels: (level: number) => `${level} dBFS`,
  stats: {
    rttMs: 'Round trip',
    lost: 'Packets lost',
    queuedMs: 'Waiting here',
    underruns: 'Gaps here',
  },
}
