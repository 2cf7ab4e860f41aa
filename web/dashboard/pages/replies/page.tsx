import { useState } from 'preact/hooks'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { List } from '../../ground/list.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import type { CannedReply, RepliesWords } from './reply.ts'
import { REPLIES_PATH } from './reply.ts'
import { ReplyForm } from './reply-form.tsx'

/** What a person has in hand: a new canned reply, or one to change or to delete. */
type Hand = { readonly act: 'new' } | { readonly act: 'edit' | 'delete'; readonly reply: CannedReply }

/** The texts that people of the account keep to answer with. */
export function Page({ words }: PageProps<RepliesWords>) {
  const { api } = useApp()
  const replies = useAsked(
    (signal) => api.get<{ readonly cannedReplies: readonly CannedReply[] }>(REPLIES_PATH, { signal }),
    [],
  )
  const [hand, take] = useState<Hand | null>(null)
  const done = (): void => {
    take(null)
    replies.again()
  }
  const begin = (
    <button type="button" class="button primary" data-action="new" onClick={() => take({ act: 'new' })}>
      {words.add}
    </button>
  )
  const formed = hand?.act === 'edit' ? hand.reply : null
  return (
    <PageFrame
      name="replies"
      heading={words.heading}
      actions={begin}
      above={{ path: '/dashboard/inbox', label: words.above }}
    >
      {hand !== null && hand.act !== 'delete' && (
        <ReplyForm key={formed?.id ?? ''} words={words} reply={formed} close={() => take(null)} done={done} />
      )}
      <Asked of={replies}>{({ cannedReplies }) => <Replies words={words} replies={cannedReplies} take={take} />}</Asked>
      {hand?.act === 'delete' && <Delete words={words} reply={hand.reply} close={() => take(null)} done={done} />}
    </PageFrame>
  )
}

interface RepliesProps {
  readonly words: RepliesWords
  readonly replies: readonly CannedReply[]
  take(hand: Hand): void
}

function Replies({ words, replies, take }: RepliesProps) {
  if (replies.length === 0) return <Empty text={words.none} />
  return (
    <List
      label={words.heading}
      items={replies}
      columns={[words.shortcut, words.text, words.changed, '']}
      hooksOf={({ id }) => ({ id })}
      row={(reply) => [
        <code>
          /<bdi>{reply.shortcut}</bdi>
        </code>,
        <bdi>{reply.text}</bdi>,
        <Time at={reply.updatedAt} />,
        <div class="actions">
          <button
            type="button"
            class="button quiet small"
            data-action="edit"
            aria-label={words.editOf(reply.shortcut)}
            onClick={() => take({ act: 'edit', reply })}
          >
            {words.edit}
          </button>
          <button
            type="button"
            class="button danger small"
            data-action="delete"
            aria-label={words.deleteOf(reply.shortcut)}
            onClick={() => take({ act: 'delete', reply })}
          >
            {words.delete}
          </button>
        </div>,
      ]}
    />
  )
}

interface DeleteProps {
  readonly words: RepliesWords
  readonly reply: CannedReply
  close(): void
  done(): void
}

function Delete({ words, reply: { id, shortcut }, close, done }: DeleteProps) {
  const { api } = useApp()
  async function act() {
    const { fault } = await api.delete(`${REPLIES_PATH}/${encodeURIComponent(id)}`)
    // Whoever deleted it first did what was asked.
    if (fault && fault.code !== 'CANNED_REPLY_NOT_FOUND') return fault
    done()
    return null
  }
  return (
    <Confirm
      heading={words.ask(shortcut)}
      text={words.warning}
      name={shortcut}
      label={words.delete}
      codes={words.codes}
      act={act}
      close={close}
    />
  )
}
