import { useEffect, useState } from 'preact/hooks'
import type { Branding } from '../../../../src/domain/branding.ts'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, FaultLine, useAsked } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import type { Editor } from './editor.tsx'
import type { Words } from './page-words.ts'

/** The brand of the account's connect pages. The editor is loaded after the page ([dashboard.budgets.1]). */
export function Page({ words }: PageProps<Words>) {
  const { api } = useApp()
  const [Loaded, load] = useState<{ readonly Editor: typeof Editor } | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  const branding = useAsked((signal) => api.get<{ branding: Branding }>('/api/v1/branding', { signal }), [])
  useEffect(() => {
    import('./editor.tsx').then(
      (file) => load(file),
      () => fail({ kind: 'LOST' }),
    )
  }, [])
  return (
    <PageFrame name="branding" heading={words.heading}>
      <p class="muted">{words.about}</p>
      {fault !== null && <FaultLine fault={fault} again={() => location.reload()} />}
      <Asked of={branding}>
        {({ branding: saved }) =>
          Loaded === null ? (
            <div class="bone" aria-busy="true" />
          ) : (
            <Loaded.Editor words={words} saved={saved} keep={(next) => branding.change(() => ({ branding: next }))} />
          )
        }
      </Asked>
    </PageFrame>
  )
}
