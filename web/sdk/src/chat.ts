import { readTheme } from '../../protocol/messages.ts'
import type { ToHost } from '../../protocol/messages.ts'
import { sessionIdOf } from '../../protocol/tokens.ts'
import { callHost, say } from './console.ts'
import { ChannelError } from './error.ts'
import { openFrame } from './frame.ts'
import { reporter } from './report.ts'
import { settings } from './settings.ts'
import { mountOnce, readCall, readToken } from './targets.ts'
import type { ChatHandle, ChatOptions, Target } from './types.ts'
import { wordsOf } from './words.ts'

/** Our choice, in CSS pixels: the height of an inbox that should fill a target without a height. */
const FALLBACK_HEIGHT = 600

/** Mounts the inbox into a target. Throws TARGET_NOT_FOUND, TOKEN_MISSING, TOKEN_INVALID. */
export function mountChat(target: Target | (ChatOptions & { target: Target }), options?: ChatOptions): ChatHandle {
  const call = readCall(target, options)
  if (call.options.token !== undefined || !call.options.fetchToken) checked(call.options.token)
  return mountOnce(call.options, call.place, (forget) => mount(call.place, call.options, forget))
}

/** Checks that a token has the form of an embed token. */
function checked(token: unknown): string {
  return readToken(token, (text) => sessionIdOf(text) && text, 'POST /v1/embed/sessions')
}

function mount(place: Element, options: ChatOptions, forget: () => void): ChatHandle {
  const { fetchToken, onReady, onUnreadCount, onConversationOpened, onSessionExpired } = options
  const report = reporter(options)
  const locale = options.locale ?? settings.locale ?? null
  const title = options.title ?? null
  let isReady = false
  /** The unread count before the frame was ready; the host is told after that. Null when there is none. */
  let count: number | null = null
  /** Whether the end of the session was told; it is told once. */
  let isOver = false
  let isDestroyed = false
  /** Whether the token was just fetched; fetching another one would not help. */
  let isFetched = options.token === undefined

  function setToken(token: string): void {
    isOver = false
    report.forget()
    frame.setToken(token)
  }

  async function fetched(): Promise<string> {
    try {
      return checked(await fetchToken?.())
    } catch (error) {
      throw error instanceof ChannelError
        ? error
        : new ChannelError('TOKEN_MISSING', 'fetchToken was rejected', 'Look at what your backend answered.')
    }
  }

  function hear({ type, payload }: ToHost): void {
    if (type === 'ready') ready()
    else if (type === 'chat:unread-count') counted(payload.count)
    else if (type === 'chat:conversation-opened') callHost(onConversationOpened, payload)
    else if (type === 'session-expired') void over(payload.reason)
    else if (type === 'error') report.told(payload)
  }

  /** A frame that was reloaded is ready again; the host is told only the first time. */
  function ready(): void {
    isFetched = false
    if (isReady) return
    isReady = true
    callHost(onReady)
    if (count !== null) callHost(onUnreadCount, count)
  }

  function counted(now: number): void {
    count = now
    if (isReady) callHost(onUnreadCount, count)
  }

  /** The frame may load too late for its first token; when the host can fetch another one, it is fetched. */
  async function fail(error: ChannelError): Promise<void> {
    const isWorthIt = error.code === 'SESSION_NOT_LIVE' && fetchToken && !isFetched
    isFetched = true
    const token = isWorthIt ? await newToken() : null
    if (isDestroyed) return
    if (token === null) report.tell(error)
    else setToken(token)
  }

  async function over(reason: 'EXPIRED' | 'REVOKED'): Promise<void> {
    if (isOver) return
    isOver = true
    const token = fetchToken ? await newToken() : null
    if (isDestroyed || !isOver) return
    if (token === null) callHost(onSessionExpired, { reason })
    else setToken(token)
  }

  async function newToken(): Promise<string | null> {
    try {
      return await fetched()
    } catch (error) {
      say.warn((error as ChannelError).message)
      return null
    }
  }

  const frame = openFrame({
    surface: 'chat',
    place,
    title: title ?? wordsOf(locale).chat,
    height: heightOf(place, options.height),
    locale,
    theme: readTheme(options.theme ?? settings.theme, say.warn),
    options: { title, conversationId: options.conversationId, features: options.features },
    firstToken: () => options.token ?? fetched(),
    nameOf: (token) => `s=${sessionIdOf(token)}`,
    hear,
    fail: (error) => void fail(error),
  })
  return {
    iframe: frame.iframe,
    destroy() {
      isDestroyed = true
      forget()
      frame.destroy()
    },
    setToken: (token) => setToken(checked(token)),
    setTheme: (theme) => frame.setTheme(readTheme(theme, say.warn)),
    setLocale: frame.setLocale,
    openConversation: (conversationId) => frame.tell('chat:open-conversation', { conversationId }),
    focus() {
      frame.iframe.focus()
      frame.tell('focus', {})
    },
  }
}

function heightOf(place: Element, height: ChatOptions['height']): string {
  if (typeof height === 'number') return `${height}px`
  if (place.clientHeight > 0 || !place.isConnected) return '100%'
  say.warn(`the target of the inbox has no height: ${FALLBACK_HEIGHT} px are taken`)
  return `${FALLBACK_HEIGHT}px`
}
