import { RealtimeSession, type RealtimeOptions } from './realtime.ts'
import { senderOf, type ClientOptions, type RequestOptions } from './request.ts'
import { Resources } from './resources.gen.ts'

/** A client of the service: resources as members, such as `client.calls.create({ to })`. */
export class Client extends Resources {
  constructor(options: ClientOptions) {
    super(senderOf(options))
  }

  /** Opens a realtime session of a call. The call may be answered later: what is said before is queued. */
  async openRealtime(
    callId: string,
    session: RealtimeOptions = {},
    options?: RequestOptions,
  ): Promise<RealtimeSession> {
    const { mode = 'talk', ...query } = session
    const made = await this.calls.openRealtimeSession(callId, { mode }, options)
    if (!('wsUrl' in made)) throw new Error('the service dials this session')
    return await RealtimeSession.connect(made.wsUrl, query)
  }
}

/** A page of a list: every list with pages has these fields beside its items. */
export interface Page {
  readonly page: number
  readonly totalPages: number
}

/** Reads a list page by page: `for await (const { messages } of pages((page) => client.messages.list({ page })))`. */
export async function* pages<P extends Page>(read: (page: number) => Promise<P>): AsyncGenerator<P> {
  for (let page = 1, last = 1; page <= last; page++) {
    const one = await read(page)
    last = one.totalPages
    yield one
  }
}
