import type { Answer } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'
import type { Answered, PhoneCalls } from './calls.ts'
import type { LiveStatus, PhoneCall } from './state.ts'

/** The routes of calls, asked by the session of the page. */
export function apiCalls(api: Api): PhoneCalls {
  const act = async <T>({ id, numberId }: PhoneCall, verb: string, isLast = false): Promise<Answered<T>> =>
    answeredBy(await api.post<T>(`/api/v1/calls/${encodeURIComponent(id)}/${verb}`, {}, { number: numberId, isLast }))
  return {
    place: async (numberId, to) =>
      answeredBy(
        await api.post<{ readonly id: string; readonly status: LiveStatus }>(
          '/api/v1/calls',
          { to },
          { number: numberId },
        ),
      ),
    session: (call) => act(call, 'realtime-session'),
    accept: (call) => act(call, 'accept'),
    reject: (call) => act(call, 'reject'),
    terminate: (call) => act(call, 'terminate', true),
  }
}

function answeredBy<T>({ body, fault }: Answer<T>): Answered<T> {
  if (fault === undefined) return { body }
  return { refusal: { isGone: fault.kind === 'GONE' || fault.kind === 'REFUSED', fault } }
}
