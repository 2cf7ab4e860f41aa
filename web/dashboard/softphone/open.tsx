import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { Language } from '../../words/language.ts'
import { NUMBERS_PATH } from '../ground/numbers.ts'
import type { ListedNumber } from '../ground/numbers.ts'
import type { CallFrame } from '../live/frames.ts'
import type { App } from '../shell/app.ts'
import { CallAudio } from './audio/call-audio.ts'
import { apiCalls } from './call/api-calls.ts'
import { Softphone } from './call/softphone.ts'
import type { PhoneCall } from './call/state.ts'
import type { PhoneNumber } from './view/dial-form.tsx'
import type { PhoneWords } from './view/in-call.tsx'
import { Panel } from './view/panel.tsx'
import './softphone.css'

const WORDS: Readonly<Record<Language, () => Promise<{ readonly words: PhoneWords }>>> = {
  en: () => import('../../words/dashboard/softphone/en.ts'),
  pt: () => import('../../words/dashboard/softphone/pt.ts'),
  es: () => import('../../words/dashboard/softphone/es.ts'),
}

/** The softphone of the page, ready to be drawn. */
export interface OpenSoftphone {
  readonly phone: Softphone
  readonly words: PhoneWords
  readonly numbers: ReadonlySignal<readonly PhoneNumber[]>
  readonly View: typeof Panel
  /** Takes what the stream tells of a call. */
  told(frame: CallFrame): Promise<void>
  /** Takes a call over from its bot. */
  takeOver(frame: CallFrame): void
}

/** Makes the softphone, with the numbers that may call. */
export async function openSoftphone({ api, language }: App): Promise<OpenSoftphone> {
  const numbers = signal<readonly PhoneNumber[]>([])
  async function readNumbers(): Promise<void> {
    const { body } = await api.get<readonly ListedNumber[]>(NUMBERS_PATH)
    if (body) numbers.value = body.map(phoneNumber)
  }
  const [{ words }] = await Promise.all([WORDS[language](), readNumbers()])
  const phone = new Softphone({ calls: apiCalls(api), openAudio: (listener) => CallAudio.open(listener) })
  return {
    phone,
    words,
    numbers,
    View: Panel,
    takeOver: (frame) => phone.takeOver(phoneCall(frame), frame.status),
    async told(frame) {
      const { numberId, status, errorCode } = frame
      // The number may be younger than this page.
      if (!numbers.value.some((number) => number.id === numberId)) await readNumbers()
      if (!numbers.value.some((number) => number.id === numberId && number.hasSound)) return
      phone.take({ type: 'told', call: phoneCall(frame), status, error: errorCode })
    },
  }
}

function phoneCall({ id, numberId, direction, peerNumber }: CallFrame): PhoneCall {
  return { id, numberId, direction, peer: peerNumber }
}

function phoneNumber({ id, name, number, provider }: ListedNumber): PhoneNumber {
  return { id, name, number, hasSound: kindOf({ provider }).can.callAudio }
}
