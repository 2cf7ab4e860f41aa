import { TEMPLATE_BUTTONS } from '../../../../src/domain/template.ts'
import type { TemplateButton, TemplateButtonType } from '../../../../src/domain/template.ts'
import { SelectField, TextField } from '../../ground/form.tsx'
import { FlowField } from './flow-field.tsx'
import type { TemplateFormWords } from './form-words.ts'
import '../template/template.css'

interface ButtonsProps {
  readonly words: TemplateFormWords
  readonly buttons: readonly TemplateButton[]
  /** The path of the list in the request. */
  readonly path: string
  /** The id of the number that the template is of. */
  readonly number: string
  change(buttons: readonly TemplateButton[]): void
  /** Changes the list itself: fields then begin anew with what is left. */
  reshape(buttons: readonly TemplateButton[]): void
}

/** The buttons of a message or of a card, each with the fields of its type. */
export function Buttons({ words, buttons, path, number, change, reshape }: ButtonsProps) {
  const put = (at: number, button: TemplateButton): readonly TemplateButton[] =>
    buttons.map((one, index) => (index === at ? button : one))
  return (
    <fieldset>
      <legend>{words.buttons}</legend>
      {buttons.map((button, at) => (
        <div key={at} class="template-part">
          <SelectField
            label={words.buttonType(at + 1)}
            name={`${path}.${at}.type`}
            value={button.type}
            options={TEMPLATE_BUTTONS.map((type) => ({ value: type, label: words.buttonTypes[type] }))}
            change={(type) => reshape(put(at, { type, ...(button.text === undefined ? {} : { text: button.text }) }))}
          />
          <ButtonFields {...{ words, button, number }} path={`${path}.${at}`} change={(one) => change(put(at, one))} />
          <button
            type="button"
            class="button quiet small"
            data-action="remove-button"
            onClick={() => reshape(buttons.filter((_, index) => index !== at))}
          >
            {words.removeButton(at + 1)}
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button quiet small"
        data-action="add-button"
        onClick={() => reshape([...buttons, { type: 'QUICK_REPLY' }])}
      >
        {words.addButton}
      </button>
    </fieldset>
  )
}

interface ButtonFieldsProps {
  readonly words: TemplateFormWords
  readonly button: TemplateButton
  readonly path: string
  readonly number: string
  change(button: TemplateButton): void
}

type OwnField = 'url' | 'phone_number' | 'example' | 'flowId'

/** The field that a type has beside its label; absent for types that have none. */
const OWN_FIELD: Readonly<Partial<Record<string, OwnField>>> = {
  URL: 'url',
  PHONE_NUMBER: 'phone_number',
  COPY_CODE: 'example',
  PAYMENT_REQUEST: 'example',
  FLOW: 'flowId',
} satisfies Partial<Record<TemplateButtonType, OwnField>>

function ButtonFields({ words, button, path, number, change }: ButtonFieldsProps) {
  const field = OWN_FIELD[button.type]
  const value = field === undefined ? undefined : button[field]
  return (
    <>
      {field !== 'example' && (
        <TextField
          label={words.label}
          name={`${path}.text`}
          value={button.text ?? ''}
          change={(text) => change({ ...button, text })}
        />
      )}
      {field === 'flowId' && (
        <FlowField
          words={words}
          name={`${path}.flowId`}
          number={number}
          value={button.flowId ?? ''}
          change={(flowId) => change({ ...button, flowId })}
        />
      )}
      {field !== undefined && field !== 'flowId' && (
        <TextField
          label={words.fields[field]}
          name={`${path}.${field}`}
          value={typeof value === 'string' ? value : (value?.[0] ?? '')}
          change={(typed) => change({ ...button, [field]: field === 'example' ? [typed] : typed })}
        />
      )}
    </>
  )
}
