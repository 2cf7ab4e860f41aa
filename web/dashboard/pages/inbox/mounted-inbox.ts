import { Channel } from '../../../sdk/src/index.ts'
import type { ChatHandle } from '../../../sdk/src/index.ts'
import type { Language } from '../../../words/language.ts'
import type { Answer, Fault } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'

const SESSIONS = '/api/v1/embed/sessions'

/** What minting a session answers, as far as this page reads it ([embeds.routes.1]). */
interface Minted {
  readonly id: string
  readonly token: string
}

interface Wanted {
  readonly api: Api
  /** The frame goes into this element, which has a height. */
  readonly place: HTMLElement
  /** At most `MOST_NUMBERS`. */
  readonly numberIds: readonly string[]
  /** The conversation that is open at first; null for none. */
  readonly conversationId: string | null
  readonly title: string
  readonly language: Language
  /** Unread messages of these numbers, each count once. */
  readonly counted: (unread: number) => void
  /** Called with the conversation that is opened in the frame. */
  readonly opened: (conversationId: string) => void
  /** Called with the reason when the inbox cannot be shown or goes no further, with null when it is tried again. */
  readonly failed: (fault: Fault | null) => void
}

/**
 * The inbox that customers embed, mounted in the dashboard in the same way. It lives on an embed session of its own,
 * which ends when the page is left.
 */
export class MountedInbox {
  readonly #wanted: Wanted
  #handle: ChatHandle | null = null
  /** The session that the frame lives on; null when there is none. */
  #sessionId: string | null = null
  #isLeft = false

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    // The page may be open at another address of the service than BASE_URL; its own policy allows this one.
    Channel.init({ baseUrl: location.origin })
    addEventListener('pagehide', this.#end)
  }

  /** Mounts the inbox, or goes on with a new session where it stands frozen, with what is typed in it. */
  async begin(): Promise<void> {
    const { failed } = this.#wanted
    failed(null)
    const { body, fault } = await this.#mint()
    if (this.#isLeft) return
    if (fault) failed(fault)
    else if (this.#handle) this.#handle.setToken(body.token)
    else this.#handle = this.#mount(body.token)
  }

  /** Opens a conversation of one of its numbers. */
  open(conversationId: string): void {
    this.#handle?.openConversation(conversationId)
  }

  /** Takes the inbox away, and ends its session. */
  leave(): void {
    this.#isLeft = true
    removeEventListener('pagehide', this.#end)
    this.#unmount()
  }

  #mount(token: string): ChatHandle {
    const { place, title, language, counted, conversationId, opened } = this.#wanted
    return Channel.chat.mount(place, {
      token,
      fetchToken: () => this.#nextToken(),
      title,
      ...(conversationId === null ? {} : { conversationId }),
      locale: language,
      // The dashboard follows the system in the same way.
      theme: 'auto',
      onUnreadCount: counted,
      onConversationOpened: (told) => opened(told.conversationId),
      onError: () => this.#toldError(),
    })
  }

  /** A fault inside the frame is shown there; one that keeps the frame away is shown in its place. */
  #toldError(): void {
    if (this.#isLeft || this.#handle?.iframe.isConnected === true) return
    this.#unmount()
    this.#wanted.failed({ kind: 'REFUSED', code: NOT_SHOWN })
  }

  /** The SDK asks for it when the session is over. It freezes the inbox when this rejects. */
  async #nextToken(): Promise<string> {
    const { body, fault } = await this.#mint()
    if (body) return body.token
    if (!this.#isLeft) this.#wanted.failed(fault)
    throw new Error('no session was minted')
  }

  async #mint(): Promise<Answer<Minted>> {
    const { api, numberIds } = this.#wanted
    const answer = await api.post<Minted>(SESSIONS, {
      surface: 'chat',
      channelNumberIds: numberIds,
      allowedOrigins: [location.origin],
      // Whoever may mint a session may also send by /v1, to anybody.
      startConversation: true,
    })
    if (answer.fault) return { fault: withOwnCode(answer.fault) }
    this.#sessionId = answer.body.id
    if (this.#isLeft) this.#end()
    return answer
  }

  #unmount(): void {
    this.#handle?.destroy()
    this.#handle = null
    this.#end()
  }

  readonly #end = (): void => {
    const id = this.#sessionId
    this.#sessionId = null
    // Whoever ended it meanwhile: it is over.
    if (id !== null) void this.#wanted.api.delete(`${SESSIONS}/${id}`, { isLast: true })
  }
}

/** Code of a fault that the SDK told: the frame could not be loaded. */
export const NOT_SHOWN = 'NOT_SHOWN'
/** Code of a fault: no session can allow the address at which the dashboard is open ([embeds.origins.1]). */
export const NO_SUCH_ORIGIN = 'NO_SUCH_ORIGIN'

function withOwnCode(fault: Fault): Fault {
  return fault.fields?.some(({ path }) => path.startsWith('allowedOrigins'))
    ? { kind: 'REFUSED', code: NO_SUCH_ORIGIN }
    : fault
}
