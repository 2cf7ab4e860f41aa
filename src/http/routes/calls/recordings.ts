import type { RecordingCommands } from '../../../commands/recordings/recordings.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'

const GROUP = 'Calls'

/** Recordings of calls ([voice.recordings.2], [voice.recordings.3]). */
export function recordingRoutes(recordings: RecordingCommands): Route[] {
  return [read(recordings), remove(recordings)]
}

function read(recordings: RecordingCommands): Route {
  return route({
    method: 'get',
    path: '/v1/calls/{callId}/recording',
    name: 'downloadRecording',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:read',
    summary: 'Download the recording of a call',
    description: 'Stereo Ogg/Opus: the peer left, the service right. One range is honoured.',
    params: schema.callParams,
    answer: { status: 200, description: 'The recording', fileTypes: ['audio/ogg'] },
    refusals: ['CALL_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_RUNNING', 'RANGE_NOT_SATISFIABLE'],
    async handle({ number, params }) {
      const file = unwrap(await recordings.read({ numberId: number.id, callId: params.callId }))
      return { status: 200, body: null, file, type: 'audio/ogg' }
    },
  })
}

function remove(recordings: RecordingCommands): Route {
  return route({
    method: 'delete',
    path: '/v1/calls/{callId}/recording',
    name: 'deleteRecording',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    summary: 'Delete the recording of a call',
    description: 'The call stays. A recording that is not whole yet is deleted where it is, unless the call goes on.',
    params: schema.callParams,
    answer: { status: 200, description: 'It is deleted', schema: schema.deleted, example: example.DELETED },
    refusals: ['CALL_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_RUNNING'],
    async handle({ number, params }) {
      unwrap(await recordings.remove({ numberId: number.id, callId: params.callId }))
      return { status: 200, body: { success: true } }
    },
  })
}
