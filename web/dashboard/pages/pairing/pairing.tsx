import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageClock } from '../../../ui/clock.ts'
import { PairingPanel } from '../../../ui/pairing/pairing-panel.tsx'
import type { PairingCode } from '../../../ui/pairing/pairing-panel.tsx'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { NumbersWords } from './number-facts.tsx'
import '../../../ui/pairing/pairing.css'

/**
 * Our choice: how many codes follow each other by themselves, some minutes in all. A page that was left open must not
 * keep the device network asking for a phone.
 */
const MOST_CODES = 8

/** A code as `connect` answers it ([numbers.routes.5]). */
interface ShownCode {
  readonly qrcodeBase64: string | null
  readonly pairingCode: string | null
  readonly expiresInMs: number | null
}

type Step =
  | { readonly at: 'asking' }
  | { readonly at: 'shown'; readonly code: PairingCode }
  /** The code was accepted; the connection is not yet there. */
  | { readonly at: 'linking' }
  | { readonly at: 'paused' }
  | { readonly at: 'done' }
  | { readonly at: 'failed'; readonly fault: Fault }

interface PairingProps {
  readonly numberId: string
  readonly words: NumbersWords
  /** Called once the number is connected. */
  done(): void
}

/** Pairs a number with its phone, by a code to scan or to type; a new code follows each that expires. */
export function Pairing({ numberId, words, done }: PairingProps) {
  const { clock } = useApp()
  const [method, choose] = useState<'qr' | 'code'>('qr')
  const { step, again } = usePairing(numberId, method, done)
  switch (step.at) {
    case 'done':
    case 'linking':
      return (
        <p class="news" role="status" data-pairing={step.at}>
          {step.at === 'done' ? words.connect.done : words.connect.phoneAccepted}
        </p>
      )
    case 'failed':
      return <FaultLine fault={step.fault} codes={words.codes} again={again} />
    case 'paused':
      return (
        <div class="empty" data-pairing="paused">
          <p class="muted">{words.connect.paused}</p>
          <button type="button" class="button primary" data-action="connect" onClick={again}>
            {words.connect.newCode}
          </button>
        </div>
      )
    default:
      return (
        <div class="pairing" data-pairing={step.at}>
          <PairingPanel
            method={method}
            code={step.at === 'shown' ? step.code : null}
            words={words.pairing}
            clock={clock}
            mayAskTyped
            choose={choose}
          />
        </div>
      )
  }
}

function usePairing(numberId: string, method: 'qr' | 'code', done: () => void) {
  const { api, clock } = useApp()
  const [step, put] = useState<Step>({ at: 'asking' })
  /** How many codes were asked for one after another, with the one that is awaited. */
  const codes = useRef(1)
  /** Counts questions, so that the answer to an earlier one is dropped. */
  const turn = useRef(0)
  async function ask(): Promise<void> {
    turn.current += 1
    const own = turn.current
    const { body, fault } = await api.post<ShownCode>(`/api/v1/numbers/${numberId}/connect`, undefined, {
      query: { pairingCode: method === 'code' ? '1' : null },
    })
    if (own !== turn.current) return
    if (body) put(isNone(body) ? { at: 'linking' } : { at: 'shown', code: codeOf(body, clock) })
    else if (fault.code === 'ALREADY_CONNECTED') go({ at: 'done' })
    else put({ at: 'failed', fault })
  }
  function go(next: Step): void {
    turn.current += 1
    put(next)
    if (next.at === 'done' && step.at !== 'done') done()
  }
  useLive({
    number({ id, state }) {
      if (id !== numberId) return
      if (state === 'OPEN') go({ at: 'done' })
      // A number connects from the first code on; whether a phone accepted one is told by the code alone.
      else if (state === 'CONNECTING' && step.at === 'shown') void ask()
      else if (state === 'CLOSE' && step.at === 'linking') go({ at: 'paused' })
    },
  })
  const isAsking = step.at === 'asking' || (step.at === 'shown' && method === 'code' && step.code.text === null)
  useEffect(() => {
    if (isAsking) void ask()
  }, [isAsking, method])
  const endsAt = step.at === 'shown' ? step.code.endsAt : null
  useEffect(() => {
    if (endsAt === null) return
    const timer = clock.after(endsAt - clock.monotonicMs(), () => {
      codes.current += 1
      if (codes.current <= MOST_CODES) void ask()
      else go({ at: 'paused' })
    })
    return () => timer.cancel()
  }, [endsAt, method])
  useEffect(() => () => void (turn.current += 1), [])
  return {
    step,
    again() {
      codes.current = 1
      go({ at: 'asking' })
    },
  }
}

/** Whether no code is shown any more, because a phone accepted it. */
function isNone({ qrcodeBase64, pairingCode }: ShownCode): boolean {
  return qrcodeBase64 === null && pairingCode === null
}

function codeOf({ qrcodeBase64, pairingCode, expiresInMs }: ShownCode, clock: PageClock): PairingCode {
  return {
    qr: qrcodeBase64,
    text: pairingCode,
    endsAt: expiresInMs === null ? null : clock.monotonicMs() + expiresInMs,
    lifeMs: expiresInMs,
  }
}
