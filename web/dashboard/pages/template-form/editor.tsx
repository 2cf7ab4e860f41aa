import { useMemo, useState } from 'preact/hooks'
import type { ProviderKind } from '../../../../src/domain/number.ts'
import type { Answer } from '../../../ui/session/answers.ts'
import { Form } from '../../ground/form.tsx'
import type { CodeWords } from '../../ground/fault-text.ts'
import { useApp } from '../../shell/app.ts'
import { ShownMessage } from '../template/shown-message.tsx'
import type { TemplateWords } from '../template/props.ts'
import type { ListedTemplate } from '../templates/template.ts'
import '../template/template.css'
import { EMPTY_DRAFT, filesOf, readDraft, requestOf } from './draft.ts'
import type { Draft, Reading } from './draft.ts'
import { fieldNamesOf, Parts } from './parts.tsx'
import { atItsFields } from './refusal.ts'

export interface EditorProps {
  readonly words: TemplateWords
  readonly number: { readonly id: string; readonly provider: ProviderKind }
  /** The template that is edited; null for a new one. */
  readonly template: ListedTemplate | null
  readonly codes: CodeWords
  close(): void
  done(template: ListedTemplate): void
}

/** Writes a template: faults stand at their fields and the message is shown while it is typed. */
export function Editor({ words, number, template, codes, close, done }: EditorProps) {
  const { api, words: ground } = useApp()
  const [draft, put] = useState<Draft>(template ?? EMPTY_DRAFT)
  const [revision, revise] = useState(0)
  const kept = useMemo(() => filesOf((template ?? EMPTY_DRAFT).body), [template])
  const reading = useMemo(() => readDraft(draft, number.provider, kept), [draft, number.provider, kept])
  async function send(): Promise<Answer<ListedTemplate>> {
    const { name, category, language, body, examples } = requestOf(draft)
    const path = '/api/v1/templates'
    const answer =
      template === null
        ? await api.post<ListedTemplate>(path, { name, category, language, body, examples }, { number: number.id })
        : await api.put<ListedTemplate>(
            `${path}/${encodeURIComponent(template.id)}`,
            { body, examples },
            { number: number.id },
          )
    return answer.fault ? { fault: atItsFields(answer.fault) } : answer
  }
  return (
    <section class="card template-preview" aria-label={template === null ? words.form.add : words.form.edit}>
      <Form<ListedTemplate>
        name="template"
        submit={words.form.submit}
        codes={codes}
        found={reading.faults}
        isDisabled={reading.faults.length > 0}
        more={<Cancel label={ground.cancel} close={close} />}
        send={send}
        done={done}
      >
        <Parts
          words={words}
          draft={draft}
          number={number.id}
          variables={reading.variables}
          isNew={template === null}
          revision={revision}
          change={put}
          reshape={(next) => {
            put(next)
            revise((now) => now + 1)
          }}
        />
        <Others words={words} draft={draft} reading={reading} />
      </Form>
      <ShownMessage words={words.preview} body={reading.shown} />
    </section>
  )
}

function Cancel({ label, close }: { readonly label: string; close(): void }) {
  return (
    <button type="button" class="button quiet" data-action="cancel" onClick={close}>
      {label}
    </button>
  )
}

interface OthersProps {
  readonly words: TemplateWords
  readonly draft: Draft
  readonly reading: Reading
}

/** The faults that are of no single field, such as too many buttons. */
function Others({ words, draft, reading }: OthersProps) {
  const named = fieldNamesOf(draft, reading.variables)
  const others = reading.faults.filter(({ path }) => !named.has(path))
  if (others.length === 0) return null
  return (
    <div data-other-faults>
      <p>{words.form.others}</p>
      <ul lang="en">
        {others.map(({ path, message }) => (
          <li key={`${path} ${message}`} data-path={path}>
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
