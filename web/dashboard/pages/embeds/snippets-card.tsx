import { useState } from 'preact/hooks'
import { EMBED_SURFACES } from '../../../../src/domain/embed-session.ts'
import type { EmbedSurface } from '../../../../src/domain/embed-session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SelectField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { Words } from './page-words.ts'
import type { Sdk } from './service.ts'
import { backendSnippet, pageSnippet } from './snippets.ts'

/** The code to copy: the request of the backend, and the HTML of the page. */
export function Snippets({ words, sdk }: { readonly words: Words; readonly sdk: Sdk }) {
  const { data } = useApp()
  const [surface, choose] = useState<EmbedSurface>('chat')
  return (
    <section class="card" aria-labelledby="snippets">
      <h2 id="snippets">{words.snippets.heading}</h2>
      <p class="muted">{words.snippets.about(sdk.script.version)}</p>
      <div class="filters">
        <SelectField
          label={words.surface}
          name="snippetSurface"
          options={EMBED_SURFACES.map((value) => ({ value, label: words.surfaces[value] }))}
          value={surface}
          change={(value) => choose(value as EmbedSurface)}
        />
      </div>
      <Code name="backend" label={words.snippets.backend} text={backendSnippet(surface, data.baseUrl)} />
      <Code name="page" label={words.snippets.page[surface]} text={pageSnippet(surface, sdk.script)} />
    </section>
  )
}

interface CodeProps {
  readonly name: string
  readonly label: string
  readonly text: string
}

export function Code({ name, label, text }: CodeProps) {
  const { words, clock } = useApp()
  return (
    <div class="snippet">
      <div class="actions">
        <p class="label">{label}</p>
        <CopyButton text={text} words={words.copy} clock={clock} />
      </div>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code data-snippet={name} dir="ltr">
          {text}
        </code>
      </pre>
    </div>
  )
}
