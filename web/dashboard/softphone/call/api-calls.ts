import type { Answer } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'
import type { PhoneCalls } from './calls.ts'
import type { PhoneCall } from './state.ts'

/** The routes of calls, asked by the session of the page. */
export function apiCalls(api: Api): PhoneCalls {
  const act = <T>({ id, numberId }: PhoneCall, verb: string, isLast = false, body = {}): Promise<Answer<T>> =>
    api.post<T>(`/api/v1/calls/${encodeURIComponent(id)}/${verb}`, body, { number: numberId, isLast })
  return {
    place: (numberId, to) => api.post('/api/v1/calls', { to }, { number: numberId }),
    session: (call) => act(call, 'realtime-session'),
    takeOver: (call) => act(call, 'takeover'),
    giveBack: (call) => act(call, 'takeover', true, { to: 'bot' }),
    accept: (call) => act(call, 'accept'),
    reject: (call) => act(call, 'reject'),
    terminate: (call) => act(call, 'terminate', true),
  }
}
