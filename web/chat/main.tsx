/** The inbox in a frame: takes its token from the host page and draws what the session shows. */
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import type { Theme } from '../../src/domain/contrast.ts'
import type { Theme as HostTheme } from '../protocol/messages.ts'
import { isFramed, meetHost } from '../ui/frame/handshake.ts'
import { pageData } from '../ui/page-data.ts'
import { loadChatWords } from '../words/chat-words.ts'
import type { ChatWords } from '../words/chat-words.ts'
import { languageOf } from '../words/language.ts'
import type { Language } from '../words/language.ts'
import { tokenRefusal } from './api/token-refusal.ts'
import { followHost, tellHost } from './host.ts'
import { drawAsWanted } from './look.ts'
import { PLAIN } from './model/look.ts'
import { Inbox } from './state/inbox.ts'
import { Alone, Beginning, Root } from './view/root.tsx'
import './chat.css'

/** The data that the server writes into the inbox's document. */
interface ChatData {
  readonly serviceName: string
  readonly lang: string
  readonly allowedOrigins: readonly string[]
}

const data = pageData<ChatData>()
const language = signal<Language>(languageOf(data.lang) ?? 'en')
const words = signal<ChatWords | null>(null)
const theme = signal<HostTheme>(PLAIN)
const sessionTheme = signal<Theme | null>(null)

effect(() => {
  const wanted = language.value
  document.documentElement.lang = wanted
  void loadChatWords(wanted).then((loaded) => {
    if (language.peek() === wanted) words.value = loaded
  })
})

async function begin(): Promise<void> {
  const host = await meetHost({ surface: 'chat', allowedOrigins: data.allowedOrigins, refusalOf: tokenRefusal })
  const { token, locale, theme: wanted, options } = host.init
  language.value = languageOf(locale) ?? language.value
  theme.value = wanted
  const inbox = new Inbox(tellHost(host), options.conversationId)
  effect(() => {
    sessionTheme.value = inbox.session.value?.theme ?? null
  })
  followHost(host, inbox, { theme, language })
  const { title, features } = options
  render(<Root {...{ inbox, title, features, words, language }} />, document.body)
  await inbox.take(token)
}

drawAsWanted(sessionTheme, theme)
render(isFramed() ? <Beginning /> : <Alone words={words} />, document.body)
if (isFramed()) void begin()
