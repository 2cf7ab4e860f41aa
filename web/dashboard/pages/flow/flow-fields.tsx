import { FLOW_CATEGORIES } from '../../../../src/domain/flow.ts'
import type { FlowCategory } from '../../../../src/domain/flow.ts'
import { CheckField, TextField } from '../../ground/form.tsx'
import type { FlowWords } from './props.ts'
import './flow.css'

interface FlowFieldsProps {
  readonly words: FlowWords
  readonly name: string
  readonly categories: readonly FlowCategory[]
}

/** The fields of what a Flow is called and what it is for. */
export function FlowFields({ words: { form, list }, name, categories }: FlowFieldsProps) {
  return (
    <>
      <TextField label={form.name} name="name" hint={form.nameHint} value={name} isRequired />
      <fieldset class="flow-categories">
        <legend>{list.categories}</legend>
        {FLOW_CATEGORIES.map((one) => (
          <CheckField
            key={one}
            label={list.category[one]}
            name="categories"
            value={one}
            isChecked={categories.includes(one)}
          />
        ))}
      </fieldset>
    </>
  )
}

/** What was typed. Without any category the field is left out, since the service takes no empty list. */
export function typedIn(fields: FormData): { readonly name: string; readonly categories?: readonly string[] } {
  const categories = fields.getAll('categories').map(String)
  return { name: String(fields.get('name')), ...(categories.length === 0 ? {} : { categories }) }
}
