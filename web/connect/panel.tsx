import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import WifiOff from 'lucide/dist/esm/icons/wifi-off.mjs'
import { LiveHeading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { PairingPanel } from '../ui/pairing/pairing-panel.tsx'
import { Actions } from './actions.tsx'
import type { PageModel } from './model.ts'
import { headlineOf, noticeOf, showsCode } from './says.ts'
import { methodShown } from './state.ts'
import { StatePicture } from './state-picture.tsx'

interface PanelProps {
  readonly model: PageModel
}

/** The main part of the page: a code with its instructions, or one message with its actions. */
export function Panel({ model }: PanelProps) {
  const state = model.page.value
  if (state.phase === 'loading') return <Skeleton model={model} />
  return showsCode(state) ? <CodePanel model={model} /> : <MessagePanel model={model} />
}

function CodePanel({ model }: PanelProps) {
  const {
    page: { value: state },
    words: { value: words },
    clock,
    tell,
  } = model
  const { heading } = headlineOf(state, words)
  return (
    <section class="panel with-code">
      <div class="lead">
        <Notice model={model} />
        <LiveHeading text={heading} />
        <Identity model={model} />
      </div>
      <PairingPanel
        method={methodShown(state)}
        code={state.code}
        words={words.pairing}
        clock={clock}
        mayAskTyped={!state.wasTypedAsked}
        choose={(method) => tell.value({ type: 'chose', method })}
      />
    </section>
  )
}

function MessagePanel({ model }: PanelProps) {
  const {
    page: { value: state },
    words: { value: words },
  } = model
  const { heading, text } = headlineOf(state, words)
  return (
    <section class="panel message">
      <StatePicture state={state} />
      <LiveHeading text={heading} />
      {text !== null && <p class="text">{text}</p>}
      <Identity model={model} />
      <Actions model={model} />
    </section>
  )
}

/**
 * A notice above a code that stays valid while something fails. It stands at the top of the page, where it moves
 * nothing ([pages.states.9]).
 */
function Notice({
  model: {
    page: { value: state },
    words: { value: words },
    tell,
  },
}: PanelProps) {
  const notice = noticeOf(state, words)
  if (notice === null) return null
  return (
    <div class="notice">
      <Icon of={state.phase === 'offline' ? WifiOff : state.trouble === 'BUSY' ? CircleAlert : TriangleAlert} />
      <p>
        <strong>{notice.heading}.</strong> {notice.text}{' '}
        <button type="button" class="link" data-action="retry" onClick={() => tell.value({ type: 'asked' })}>
          {words.connect.retry}
        </button>
      </p>
    </div>
  )
}

/** What is being connected, by the name its owner gave it: whoever forges a brand cannot forge this name. */
function Identity({
  model: {
    page: {
      value: { link },
    },
    words: {
      value: { connect },
    },
  },
}: PanelProps) {
  if (link === null || (link.name === '' && link.number === '')) return null
  return (
    <p class="identity">
      <span class="unseen">{connect.connects} </span>
      <bdi class="identity-name">{link.name}</bdi>
      <span class="identity-number" data-number aria-hidden="true" dir="ltr">
        {link.number}
      </span>
      <span class="unseen"> {connect.endingIn(link.number.replaceAll('*', ''))}</span>
    </p>
  )
}

/** A placeholder of the size of the first code, so that the page does not jump. */
function Skeleton({ model }: PanelProps) {
  const {
    page: { value: state },
    words: { value: words },
  } = model
  return (
    <section class="panel with-code skeleton">
      <div class="lead">
        <LiveHeading text={headlineOf(state, words).heading} />
        <Identity model={model} />
      </div>
      <div class="pairing-code" aria-hidden="true">
        <div class={methodShown(state) === 'qr' ? 'qr-tile' : 'code-tile'}>
          <span class="waiting" />
        </div>
        <p class="time-left" />
      </div>
      <div class="steps" aria-hidden="true">
        <span class="bone" />
        <span class="bone" />
        <span class="bone" />
      </div>
      <span class="bone other" aria-hidden="true" />
    </section>
  )
}
