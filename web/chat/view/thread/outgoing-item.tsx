import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../../ui/icon.tsx'
import type { ChatWords } from '../../../words/chat-words.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import type { Outgoing } from '../../state/outbox.ts'
import { useDrawn } from '../context.ts'
import { MessageText } from '../formatted-text.tsx'
import { reasonOf } from './failure.tsx'
import { Quote } from './quote.tsx'
import { StatusTick } from './status-tick.tsx'

/** A message on its way to the server, or one that failed to reach it. */
export function OutgoingItem({ outgoing, open }: { readonly outgoing: Outgoing; readonly open: OpenThread }) {
  const { words } = useDrawn()
  const hasFailed = outgoing.state === 'failed'
  return (
    <article
      class="message ours"
      data-message={outgoing.id ?? outgoing.key}
      data-direction="OUTBOUND"
      data-status={hasFailed ? 'FAILED' : 'QUEUED'}
      data-type={typeOf(outgoing)}
      tabIndex={-1}
      aria-label={words.message.you}
    >
      <div class="bubble">
        {outgoing.reply && <Quote of={outgoing.reply} open={open} />}
        <div class="said">
          <p>
            <MessageText text={textOf(outgoing, words)} />
          </p>
          <p class="foot">
            <StatusTick status={hasFailed ? 'FAILED' : 'sending'} />
          </p>
        </div>
        {isUploading(outgoing) && <Progress outgoing={outgoing} />}
      </div>
      {outgoing.state === 'waiting' && <Waiting outgoing={outgoing} />}
      {hasFailed && <Failed outgoing={outgoing} />}
    </article>
  )
}

function Waiting({ outgoing }: { readonly outgoing: Outgoing }) {
  const {
    inbox: { outbox },
    words,
  } = useDrawn()
  return (
    <p class="failure waits" role="status">
      <span>{words.message.waits}</span>
      <button type="button" class="link" data-action="cancel" onClick={() => outbox.drop(outgoing)}>
        {words.remove}
      </button>
    </p>
  )
}

function Failed({ outgoing }: { readonly outgoing: Outgoing }) {
  const {
    inbox: { outbox, over },
    words,
  } = useDrawn()
  return (
    <p class="failure" data-failure>
      <Icon of={CircleAlert} size={16} />
      <span>{reasonOf(words, outgoing.errorCode)}</span>
      <button
        type="button"
        class="link"
        data-action="retry"
        disabled={over.value !== null}
        onClick={() => void outbox.again(outgoing)}
      >
        {words.failure.retry}
      </button>
      <button type="button" class="link" onClick={() => outbox.drop(outgoing)}>
        {words.remove}
      </button>
    </p>
  )
}

function Progress({ outgoing }: { readonly outgoing: Outgoing }) {
  const {
    inbox: { outbox },
    words,
  } = useDrawn()
  const percent = Math.round(outgoing.progress * 100)
  return (
    <p class="progress">
      <progress max={100} value={percent} aria-label={words.composer.uploading(percent)} />
      <button
        type="button"
        class="plain"
        data-action="cancel"
        aria-label={words.cancel}
        onClick={() => outbox.drop(outgoing)}
      >
        <Icon of={X} size={16} />
      </button>
    </p>
  )
}

function isUploading({ state, what }: Outgoing): boolean {
  return state === 'sending' && !('kind' in what)
}

function typeOf({ what }: Outgoing): string {
  return 'kind' in what ? what.kind : what.mediaType === 'voice' ? 'audio' : what.mediaType
}

function textOf({ what }: Outgoing, { types }: ChatWords): string {
  if (!('kind' in what)) return what.caption || (what.mediaType === 'voice' ? types.voice : what.file.name)
  if (what.kind === 'text') return what.text
  if (what.kind === 'location') return what.location.name ?? types.location
  return what.kind === 'contacts' ? (what.contacts[0]?.name.formatted ?? types.contacts) : types.template
}
