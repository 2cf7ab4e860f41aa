import Keyboard from 'lucide/dist/esm/icons/keyboard.mjs'
import QrCode from 'lucide/dist/esm/icons/qr-code.mjs'
import type { PairingWords } from '../../words/connect/words.ts'
import type { PageClock } from '../clock.ts'
import { CopyButton } from '../copy-button.tsx'
import { Icon } from '../icon.tsx'
import { grouped } from './grouped.ts'
import { StepPicture } from './step-picture.tsx'
import { TimeLeft } from './time-left.tsx'

/** A pairing code from the service. */
export interface PairingCode {
  /** A PNG as a data URI, black on white with its quiet zone. */
  readonly qr: string | null
  readonly text: string | null
  /** When the code expires, in ms of the page's clock; null when the service does not say. */
  readonly endsAt: number | null
  readonly lifeMs: number | null
}

interface PairingPanelProps {
  readonly method: 'qr' | 'code'
  /** Null while the next code is awaited. */
  readonly code: PairingCode | null
  readonly words: PairingWords
  readonly clock: PageClock
  /** Whether a code to type can still be requested. */
  readonly mayAskTyped: boolean
  choose(method: 'qr' | 'code'): void
}

/** A pairing code, its instructions and remaining time, and the button for the other method. */
export function PairingPanel({ method, code, words, clock, mayAskTyped, choose }: PairingPanelProps) {
  const other = method === 'qr' ? 'code' : 'qr'
  const hasOther = code === null || (other === 'code' && mayAskTyped) || (other === 'qr' ? code.qr : code.text) !== null
  return (
    <>
      <div class="pairing-code">
        {method === 'qr' ? <QrTile code={code} words={words} /> : <CodeTile code={code} words={words} clock={clock} />}
        {code !== null && code.endsAt !== null && code.lifeMs !== null ? (
          <TimeLeft endsAt={code.endsAt} lifeMs={code.lifeMs} clock={clock} say={words.newCodeIn} />
        ) : (
          <p class="time-left muted">{code === null ? words.newCodeComing : ''}</p>
        )}
      </div>
      <ol class="steps">
        {(method === 'qr' ? words.qrSteps : words.codeSteps).map((step, index) => (
          <li key={`${method}${index}`}>
            <StepPicture step={index} method={method} />
            <Step text={step} />
          </li>
        ))}
      </ol>
      {hasOther && (
        <button
          type="button"
          class="button quiet other"
          data-action={other === 'qr' ? 'show-qr' : 'show-code'}
          onClick={() => choose(other)}
        >
          <Icon of={other === 'qr' ? QrCode : Keyboard} />
          {other === 'qr' ? words.showQr : words.showCode}
        </button>
      )}
    </>
  )
}

/** One instruction; words between asterisks appear on the phone and are drawn bold. */
function Step({ text }: { readonly text: string }) {
  return <span>{text.split('*').map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part))}</span>
}

/** The QR code, always black on white, because scanners refuse the reverse. */
function QrTile({ code, words }: Pick<PairingPanelProps, 'code' | 'words'>) {
  return (
    <div class="qr-tile">
      {code?.qr ? (
        <img data-qr src={code.qr} alt={words.qrLabel} width="276" height="276" />
      ) : (
        <span class="waiting" aria-hidden="true" />
      )}
    </div>
  )
}

function CodeTile({ code, words, clock }: Pick<PairingPanelProps, 'code' | 'words' | 'clock'>) {
  if (code === null || code.text === null)
    return (
      <div class="code-tile">
        <span class="waiting" aria-hidden="true" />
      </div>
    )
  const text = grouped(code.text)
  return (
    <div class="code-tile">
      <p class="code" data-code dir="ltr">
        {[...text].map((letter, index) => (
          <span key={index} class={letter === '-' ? 'dash' : 'letter'}>
            {letter}
          </span>
        ))}
      </p>
      <CopyButton text={text} words={words} clock={clock} />
    </div>
  )
}
