import { words as calls } from '../calls/en.ts'

const { seconds, directions, statuses } = calls

/** English words of the page of one call; the other languages have the same keys. */
export const words = {
  heading: 'Call',
  headingOf: (peer: string) => `Call with +${peer}`,
  above: 'Calls',
  status: 'Status',
  direction: 'Direction',
  length: 'Length',
  error: 'What went wrong',
  id: 'Id',
  timeline: 'What happened',
  played: 'Files played',
  recording: 'Recording',
  saveRecording: 'Save it as a file',
  sessions: 'Programs in the call',
  takeOver: 'Take this call over',
  sessionKinds: {
    INBOUND: { talk: 'A program that connected and speaks', listen: 'A program that connected and listens' },
    OUTBOUND: { talk: 'A server that was dialled and speaks', listen: 'A server that was dialled and listens' },
  },
  sessionStatuses: { CONNECTING: 'is being connected', OPEN: 'open', CLOSED: 'closed', FAILED: 'could not be reached' },
  seconds,
  directions,
  statuses,
  steps: { created: 'Asked for', started: 'Began', connected: 'Answered', ended: 'Ended' },
  playStatuses: { QUEUED: 'waits', PLAYING: 'plays', FINISHED: 'played', FAILED: 'failed' },
  errors: {
    PROVIDER_FAILED: 'The network of the number ended the call with a failure.',
    NO_RINGING: 'The other phone never rang.',
    MEDIA_LOST: 'The sound of the call was lost and did not come back.',
    MEDIA_TIMEOUT: 'No sound arrived after the answer.',
    NODE_LOST: 'The server that held the call stopped.',
    INTERNAL_ERROR: 'Something went wrong on our side.',
  },
}
