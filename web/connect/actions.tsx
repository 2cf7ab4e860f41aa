import { useSecondsLeft } from '../ui/seconds-left.ts'
import { outcomeUrl } from './follow.ts'
import type { PageModel } from './model.ts'

interface ActionsProps {
  readonly model: PageModel
}

/** The actions of a person in a state without a code. */
export function Actions({ model }: ActionsProps) {
  const { phase } = model.page.value
  const { connect } = model.words.value
  switch (phase) {
    case 'ready':
      return (
        <div class="actions">
          <Ask model={model} action="connect" label={connect.ready.start} />
        </div>
      )
    case 'paused':
      return (
        <div class="actions">
          <Ask model={model} action="new-code" label={connect.newCode} />
        </div>
      )
    case 'passkey':
      return <Back model={model} />
    case 'offline':
    case 'failed':
      return (
        <div class="actions">
          <Ask model={model} action="retry" label={connect.retry} />
        </div>
      )
    case 'connected':
    case 'already-connected':
      return <Onward model={model} label={connect.continue} />
    case 'expired':
    case 'revoked':
      return <Onward model={model} label={connect.goBack} />
    default:
      return null
  }
}

function Ask({
  model,
  action,
  label,
  isQuiet = false,
}: ActionsProps & { readonly action: string; readonly label: string; readonly isQuiet?: boolean }) {
  return (
    <button
      type="button"
      class={isQuiet ? 'button quiet' : 'button primary'}
      data-action={action}
      onClick={() => model.tell.value({ type: 'asked' })}
    >
      {label}
    </button>
  )
}

function Back({ model }: ActionsProps) {
  const { passkey, newCode } = model.words.value.connect
  return (
    <div class="actions">
      <p class="muted">{passkey.back}</p>
      <Ask model={model} action="new-code" label={newCode} isQuiet />
    </div>
  )
}

/** The link to the tenant's redirect address and, while the page is about to follow it by itself, a button to stay. */
function Onward({ model, label }: ActionsProps & { readonly label: string }) {
  const {
    page: { value: state },
    words: {
      value: { connect },
    },
  } = model
  const url = outcomeUrl(state)
  if (url === null) return null
  // A frame must not navigate to another site, so the link opens a new tab.
  const elsewhere = state.isFramed ? { target: '_blank', rel: 'noopener noreferrer' } : {}
  return (
    <div class="actions">
      <a class="button primary" data-action="continue" href={url} {...elsewhere}>
        {label}
        {state.isFramed && <span class="unseen"> {connect.newWindow}</span>}
      </a>
      {state.redirectAt !== null && (
        <>
          <button
            type="button"
            class="button quiet"
            data-action="stay"
            onClick={() => model.tell.value({ type: 'stayed' })}
          >
            {connect.stay}
          </button>
          <TakenOn model={model} at={state.redirectAt} />
        </>
      )}
    </div>
  )
}

function TakenOn({ model, at }: ActionsProps & { readonly at: number }) {
  return (
    <p class="muted" role="timer">
      {model.words.value.connect.takenOnIn(useSecondsLeft(at, model.clock))}
    </p>
  )
}
