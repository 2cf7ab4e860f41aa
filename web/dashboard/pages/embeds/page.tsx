import type { Answer } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import { PageFrame } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { Demo } from './demo.tsx'
import { Doctor } from './doctor.tsx'
import { Mint } from './mint.tsx'
import type { EmbedSession, Sdk, SdkVersion } from './service.ts'
import type { Words } from './page-words.ts'
import { Sessions } from './sessions.tsx'
import { Snippets } from './snippets-card.tsx'
import './embeds.css'

/** Sessions of embeds, the code that shows them, and what is wrong when a page does not. */
export function Page({ words }: PageProps<Words>) {
  const { api } = useApp()
  const sessions = useAsked(
    (signal) => api.get<{ sessions: readonly EmbedSession[] }>('/api/v1/embed/sessions', { signal }),
    [],
  )
  const numbers = useNumbers()
  const sdk = useAsked((signal) => readSdk(api, signal), [])
  return (
    <PageFrame name="embeds" heading={words.heading}>
      <p class="muted">{words.about}</p>
      <Asked of={numbers}>{(all) => <Mint words={words} numbers={all} done={sessions.again} />}</Asked>
      <Asked of={sessions}>
        {({ sessions: live }) => (
          <Sessions
            words={words}
            sessions={live}
            numbers={numbers.body ?? []}
            again={sessions.again}
            leave={(id) =>
              sessions.change((now) => ({ sessions: now.sessions.filter((session) => session.id !== id) }))
            }
          />
        )}
      </Asked>
      <Asked of={sdk}>
        {(known) => (
          <>
            <Snippets words={words} sdk={known} />
            <Doctor words={words} sdk={known} sessions={sessions.body?.sessions ?? []} />
            {(numbers.body ?? []).length > 0 && (
              <Demo words={words} sdk={known} numbers={numbers.body ?? []} done={sessions.again} />
            )}
          </>
        )}
      </Asked>
    </PageFrame>
  )
}

/** The newest script and the addresses of the frames, which anybody may read. */
async function readSdk(api: Api, signal: AbortSignal): Promise<Answer<Sdk>> {
  const [files, config] = await Promise.all([
    api.get<{ latest: string; versions: readonly SdkVersion[] }>('/embed/versions.json', { signal }),
    api.get<{ chatUrl: string; connectUrl: string }>('/embed/config.json', { signal }),
  ])
  if (files.fault) return files
  if (config.fault) return config
  const { latest, versions } = files.body
  const script = versions.find(({ version }) => version === latest)
  return script === undefined ? { fault: { kind: 'GONE' } } : { body: { script, ...config.body } }
}
