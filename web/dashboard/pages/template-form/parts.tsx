import { TEMPLATE_CATEGORIES, TEMPLATE_HEADERS } from '../../../../src/domain/template.ts'
import type { TemplateBody, TemplateButton, TemplateCategory } from '../../../../src/domain/template.ts'
import { SelectField, TextField } from '../../ground/form.tsx'
import type { TemplateWords } from '../template/props.ts'
import { Buttons } from './buttons.tsx'
import { Cards } from './cards.tsx'
import type { Draft } from './draft.ts'

interface PartsProps {
  readonly words: TemplateWords
  readonly draft: Draft
  /** The id of the number that the template is of. */
  readonly number: string
  readonly variables: readonly string[]
  /** Only a new template is named: name, category and language are fixed then ([templates.update.2]). */
  readonly isNew: boolean
  /** Grows when parts come or go; their fields then begin anew. */
  readonly revision: number
  change(draft: Draft): void
  reshape(draft: Draft): void
}

/** The fields of a template, named by their paths in the request. */
export function Parts(props: PartsProps) {
  const { words, draft, number, revision, change, reshape } = props
  const { body } = draft
  const withBody = (part: Partial<TemplateBody>): Draft => ({ ...draft, body: { ...body, ...part } })
  return (
    <>
      {props.isNew && <Identity {...props} />}
      <Texts key={`texts ${body.header.type}`} words={words} body={body} put={(part) => change(withBody(part))} />
      <Buttons
        key={`buttons ${revision}`}
        words={words.form}
        buttons={body.buttons}
        path="body.buttons"
        number={number}
        change={(buttons) => change(withBody({ buttons }))}
        reshape={(buttons) => reshape(withBody({ buttons }))}
      />
      <Cards
        key={`cards ${revision}`}
        words={words.form}
        cards={body.carousel?.cards ?? []}
        number={number}
        change={(cards) => change(withBody({ carousel: { cards } }))}
        reshape={(cards) => reshape(withBody({ carousel: cards.length === 0 ? null : { cards } }))}
      />
      <Examples {...props} />
    </>
  )
}

function Identity({ words, draft, change }: PartsProps) {
  const { form, list } = words
  return (
    <>
      <TextField
        label={form.name}
        name="name"
        hint={form.nameHint}
        isRequired
        change={(name) => change({ ...draft, name })}
      />
      <SelectField
        label={form.category}
        name="category"
        value={draft.category}
        options={TEMPLATE_CATEGORIES.map((value) => ({ value, label: list.categories[value] }))}
        change={(category) => change({ ...draft, category: category as TemplateCategory })}
      />
      <TextField
        label={form.language}
        name="language"
        hint={form.languageHint}
        value={draft.language}
        isRequired
        change={(language) => change({ ...draft, language })}
      />
    </>
  )
}

interface TextsProps {
  readonly words: TemplateWords
  readonly body: TemplateBody
  put(part: Partial<TemplateBody>): void
}

function Texts(props: TextsProps) {
  const { body, put } = props
  const { form } = props.words
  return (
    <>
      <HeaderFields {...props} />
      <TextField
        label={form.body}
        name="body.body.text"
        hint={form.bodyHint}
        rows={5}
        value={body.body?.text ?? ''}
        change={(text) => put({ body: { ...body.body, text } })}
      />
      <TextField
        label={form.footer}
        name="body.footer.text"
        value={body.footer?.text ?? ''}
        change={(text) => put({ footer: { ...body.footer, text } })}
      />
    </>
  )
}

function HeaderFields({ words: { form }, body: { header }, put }: TextsProps) {
  const field = header.type === 'TEXT' ? 'text' : 'url'
  return (
    <>
      <SelectField
        label={form.header}
        name="body.header.type"
        value={header.type}
        options={TEMPLATE_HEADERS.map((value) => ({ value, label: form.headerTypes[value] }))}
        change={(type) => put({ header: { type } })}
      />
      {header.type !== 'NONE' && (
        <TextField
          label={field === 'text' ? form.headerText : form.headerUrl}
          name={`body.header.${field}`}
          type={field}
          value={header[field] ?? ''}
          change={(typed) => put({ header: { ...header, [field]: typed } })}
        />
      )}
    </>
  )
}

function Examples({ words, draft, variables, change }: PartsProps) {
  if (variables.length === 0) return null
  return (
    <fieldset>
      <legend>{words.form.examples}</legend>
      {variables.map((key) => (
        <TextField
          key={key}
          label={key}
          name={`examples.${key}`}
          value={String(draft.examples[key] ?? '')}
          change={(value) => change({ ...draft, examples: { ...draft.examples, [key]: value } })}
        />
      ))}
    </fieldset>
  )
}

/** The names of all fields that a draft has in the editor. */
export function fieldNamesOf({ body }: Draft, variables: readonly string[]): ReadonlySet<string> {
  const ofButtons = (path: string, buttons: readonly TemplateButton[]): string[] =>
    buttons.flatMap((_, at) =>
      ['type', 'text', 'url', 'phone_number', 'example', 'flowId'].map((field) => `${path}.${at}.${field}`),
    )
  const cards = body.carousel?.cards ?? []
  return new Set([
    'name',
    'category',
    'language',
    'body.header.type',
    ...(body.header.type === 'TEXT' ? ['body.header.text'] : []),
    ...(body.header.type === 'NONE' ? [] : ['body.header.url']),
    'body.body.text',
    'body.footer.text',
    ...ofButtons('body.buttons', body.buttons),
    ...cards.flatMap(({ buttons }, at) => {
      const path = `body.carousel.cards.${at}`
      return [`${path}.media.url`, `${path}.body.text`, ...ofButtons(`${path}.buttons`, buttons)]
    }),
    ...variables.map((key) => `examples.${key}`),
  ])
}
