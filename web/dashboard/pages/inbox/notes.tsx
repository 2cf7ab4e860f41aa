import { useEffect, useRef, useState } from 'preact/hooks'
import { FaultLine } from '../../ground/asked.tsx'
import { Dialog } from '../../ground/confirm.tsx'
import { Form, TextField } from '../../ground/form.tsx'
import { Listed } from '../../ground/listed.tsx'
import { Time } from '../../ground/shown.tsx'
import { useList } from '../../ground/use-list.ts'
import type { ListState } from '../../ground/use-list.ts'
import { useOnce } from '../../ground/use-once.ts'
import { useApp } from '../../shell/app.ts'
import type { Fault } from '../../../ui/session/answers.ts'
import type { InboxWords, Note } from './handling.ts'
import { pathOf } from './handling.ts'
import { useHandled } from './use-handled.ts'

/** Notes of one answer ([handling.routes.5]). */
const PAGE = 100

interface NotesProps {
  readonly words: InboxWords['handling']
  readonly conversationId: string
  /** What is typed and not sent, by conversation. */
  readonly drafts: Map<string, string>
}

/** The notes on the conversation, newest first, and a field for another one. */
export function Notes({ words, conversationId, drafts }: NotesProps) {
  const { api } = useApp()
  const path = pathOf(conversationId, 'notes')
  const notes = useList<Note>(
    {
      async read(before, signal) {
        const answer = await api.get<{ readonly notes: readonly Note[] }>(path, { query: { before }, signal })
        return answer.fault ? answer : { body: answer.body.notes }
      },
      beforeOf: ({ id }) => id,
      pageSize: PAGE,
    },
    [path],
  )
  useHandled(conversationId, notes.again)
  return (
    <>
      <NoteForm {...{ words, conversationId, path, drafts }} added={notes.again} />
      <NoteList words={words} path={path} notes={notes} />
    </>
  )
}

interface NoteFormProps extends NotesProps {
  readonly path: string
  added(): void
}

function NoteForm({ words, conversationId, path, drafts, added }: NoteFormProps) {
  const { api } = useApp()
  const once = useOnce()
  const place = useRef<HTMLDivElement>(null)
  /** How many were sent: each is followed by an empty form, which takes the focus. */
  const [sent, count] = useState(0)
  useEffect(() => {
    if (sent > 0) place.current?.querySelector('textarea')?.focus()
  }, [sent])
  return (
    <div ref={place} class="part">
      <Form<Note>
        key={sent}
        name="note"
        submit={words.add}
        action="send"
        codes={words.codes}
        send={(fields) => {
          const text = String(fields.get('text'))
          return once(text, (key) => api.post<Note>(path, { text }, { key }))
        }}
        done={() => {
          drafts.delete(conversationId)
          count(sent + 1)
          added()
        }}
      >
        <TextField
          label={words.note}
          name="text"
          hint={words.noteHint}
          rows={3}
          isRequired
          value={drafts.get(conversationId) ?? ''}
          change={(text) => void drafts.set(conversationId, text)}
        />
      </Form>
    </div>
  )
}

interface NoteListProps {
  readonly words: InboxWords['handling']
  readonly path: string
  readonly notes: ListState<Note>
}

function NoteList({ words, path, notes }: NoteListProps) {
  const { can, session } = useApp()
  const [leaving, remove] = useState<Note | null>(null)
  const mayRemove = ({ author }: Note): boolean =>
    can('account:manage') || (author !== null && author.id === session.user?.id)
  return (
    <>
      <Listed
        of={notes}
        none={words.noNotes}
        codes={words.codes}
        label={words.notes}
        hooksOf={({ id }) => ({ id })}
        row={(note) => (
          <div class="note">
            <p class="muted">
              <bdi>{note.author?.name ?? words.account}</bdi>, <Time at={note.createdAt} />
            </p>
            <p class="note-text" dir="auto">
              {note.text}
            </p>
            {mayRemove(note) && (
              <button type="button" class="link" data-action="delete" onClick={() => remove(note)}>
                {words.remove}
              </button>
            )}
          </div>
        )}
      />
      {leaving !== null && (
        <RemoveNote words={words} path={`${path}/${leaving.id}`} close={() => remove(null)} done={notes.again} />
      )}
    </>
  )
}

interface RemoveNoteProps {
  readonly words: InboxWords['handling']
  readonly path: string
  close(): void
  done(): void
}

/** Asks before a note is removed: it cannot be taken back. */
function RemoveNote({ words, path, close, done }: RemoveNoteProps) {
  const { api, words: shared } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  async function act(): Promise<void> {
    const { fault: why } = await api.delete(path)
    // Whoever removed it first did what was asked.
    if (why && why.code !== 'NOTE_NOT_FOUND') return fail(why)
    close()
    done()
  }
  return (
    <Dialog heading={words.removeAsk} close={close}>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="cancel" onClick={close}>
          {shared.cancel}
        </button>
        <button type="button" class="button danger" data-action="confirm" onClick={() => void act()}>
          {words.remove}
        </button>
      </div>
    </Dialog>
  )
}
