import { useState } from 'preact/hooks'
import { numberIn, useNumbers } from '../../ground/numbers.ts'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame, Plain } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import type { TemplateWords } from '../template/props.ts'
import { templatePath } from '../templates/template.ts'
import type { ListedTemplate } from '../templates/template.ts'
import { LaterEditor } from './later-editor.tsx'

/** What stands in the place of an id in the address of the page that writes a new template (our choice). */
export const NEW = 'new'

interface MountedProps {
  readonly words: TemplateWords
  /** The id of the number that the template is of; null for the first number of the account. */
  readonly number: string | null
}

/** The page that writes a new template. */
export function NewTemplate({ words, number }: MountedProps) {
  const { router, can, words: ground } = useApp()
  const list = number === null ? '/dashboard/templates' : `/dashboard/templates?number=${encodeURIComponent(number)}`
  if (!can('templates:manage')) return <Plain heading={ground.denied.heading} text={ground.denied.text} />
  return (
    <PageFrame name="template" heading={words.form.add} above={{ path: list, label: words.above }}>
      <OfNumber wanted={number}>
        {(chosen) => (
          <LaterEditor
            words={words}
            number={chosen}
            template={null}
            codes={words.codes}
            close={() => router.go(list, false)}
            done={(template) => router.go(templatePath(template, chosen.id), false)}
          />
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface EditProps {
  readonly words: TemplateWords
  readonly number: string
  readonly template: ListedTemplate
  take(now: ListedTemplate): void
}

/** The button that opens the editor of a template, and the editor. */
export function Edit({ words, number, template, take }: EditProps) {
  const numbers = useNumbers()
  const [edited, edit] = useState<ListedTemplate | null>(null)
  const of = numberIn(numbers.body, number)
  if (edited === null || of === null)
    return (
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          data-action="edit"
          disabled={of === null}
          onClick={() => edit(template)}
        >
          {words.form.edit}
        </button>
      </div>
    )
  function done(now: ListedTemplate): void {
    edit(null)
    take(now)
  }
  return (
    <LaterEditor words={words} number={of} template={edited} codes={words.codes} close={() => edit(null)} done={done} />
  )
}
