import { useEffect, useRef } from 'preact/hooks'
import { Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { CannedReply, RepliesWords } from './reply.ts'
import { REPLIES_PATH } from './reply.ts'

interface ReplyFormProps {
  readonly words: RepliesWords
  /** The one to change; null for a new one. */
  readonly reply: CannedReply | null
  close(): void
  done(): void
}

/** The form of a new canned reply, or of one that is changed. */
export function ReplyForm({ words, reply, close, done }: ReplyFormProps) {
  const { api, words: shared } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const cancel = (
    <button type="button" class="button quiet" data-action="cancel" onClick={close}>
      {shared.cancel}
    </button>
  )
  return (
    <section class="card" aria-labelledby="reply-form">
      <h2 id="reply-form" ref={heading} tabIndex={-1}>
        {reply === null ? words.add : words.change}
      </h2>
      <Form<CannedReply>
        name="reply"
        submit={shared.save}
        codes={words.codes}
        more={cancel}
        done={done}
        send={(fields) => {
          const body = { shortcut: String(fields.get('shortcut')), text: String(fields.get('text')) }
          return reply === null
            ? api.post(REPLIES_PATH, body)
            : api.patch(`${REPLIES_PATH}/${encodeURIComponent(reply.id)}`, body)
        }}
      >
        <TextField
          label={words.shortcut}
          name="shortcut"
          hint={words.shortcutHint}
          value={reply?.shortcut ?? ''}
          isRequired
          maxLength={32}
        />
        <TextField label={words.text} name="text" value={reply?.text ?? ''} rows={5} isRequired />
      </Form>
    </section>
  )
}
