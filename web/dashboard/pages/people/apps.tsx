import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Fault, Grant } from '../../../ui/session/answers.ts'
import { Asked, Empty, FaultLine } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { NumberName, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { focusPart, Part } from './part.tsx'
import type { PeopleWords } from './people-words.ts'

interface AppsProps {
  readonly words: PeopleWords['apps']
  readonly grants: AskedState<{ readonly grants: readonly Grant[] }>
}

/** The apps that people of the account let in, and the way to shut them out. */
export function Apps({ words, grants }: AppsProps) {
  const { api, say } = useApp()
  const numbers = useNumbers()
  const [fault, fail] = useState<Fault | null>(null)
  async function end(grant: Grant): Promise<void> {
    fail(null)
    const { fault } = await api.delete(`/api/grants/${encodeURIComponent(grant.id)}`)
    if (fault) fail(fault)
    else {
      say(words.ended(appOf(grant)))
      focusPart('apps')
    }
    grants.again()
  }
  return (
    <Part id="apps" heading={words.heading} text={words.text}>
      {fault !== null && (
        <div class="act-fault">
          <FaultLine fault={fault} codes={words.codes} />
        </div>
      )}
      <Asked of={grants}>
        {({ grants: all }) =>
          all.length === 0 ? (
            <Empty text={words.none} />
          ) : (
            <GrantList words={words} grants={all} numbers={numbers.body ?? []} end={(grant) => void end(grant)} />
          )
        }
      </Asked>
    </Part>
  )
}

interface GrantListProps {
  readonly words: PeopleWords['apps']
  readonly grants: readonly Grant[]
  readonly numbers: readonly ListedNumber[]
  end(grant: Grant): void
}

function GrantList({ words, grants, numbers, end }: GrantListProps) {
  return (
    <List
      label={words.heading}
      items={grants}
      columns={[words.app, words.may, words.numbers, words.by, words.lastUsed, '']}
      hooksOf={({ id }) => ({ id })}
      row={(grant) => [
        <AppName key="app" words={words} grant={grant} />,
        <Few key="may" many={words.scopeCount}>
          {grant.scopes.map((scope) => words.scope[scope] ?? scope)}
        </Few>,
        <NumbersOf key="numbers" words={words} grant={grant} numbers={numbers} />,
        <span key="by">
          <span class="narrow muted">{words.by}: </span>
          <bdi>{grant.user?.email ?? words.byKey}</bdi>
        </span>,
        <span key="used">
          <span class="narrow muted">{words.lastUsed}: </span>
          <Time at={grant.lastUsedAt} />
        </span>,
        <span key="end">
          <button type="button" class="button quiet small" data-action="end-grant" onClick={() => end(grant)}>
            {words.end}
            <span class="unseen"> {appOf(grant)}</span>
          </button>
        </span>,
      ]}
    />
  )
}

/** The name that an app has given itself, and its id, which nobody else has. */
function AppName({ words, grant }: { readonly words: PeopleWords['apps']; readonly grant: Grant }) {
  return (
    <span>
      <bdi>{appOf(grant)}</bdi>
      {grant.clientName !== null && (
        <span class="hint block">
          <bdi>{grant.clientId}</bdi>
        </span>
      )}
      <span class="hint block">{grant.resource.endsWith('/mcp') ? words.tools : words.api}</span>
    </span>
  )
}

interface NumbersOfProps {
  readonly words: PeopleWords['apps']
  readonly grant: Grant
  readonly numbers: readonly ListedNumber[]
}

/** The numbers of a grant by name; by id while the names are not there. */
function NumbersOf({ words, grant: { channelNumberIds }, numbers }: NumbersOfProps) {
  if (channelNumberIds === null) return <span>{words.allNumbers}</span>
  return (
    <Few many={words.numberCount}>
      {channelNumberIds.map((id) => {
        const found = numbers.find((number) => number.id === id)
        return found ? <NumberName key={id} name={found.name} number={found.number} /> : <bdi key={id}>{id}</bdi>
      })}
    </Few>
  )
}

/** Our choice: more than these are shown when asked for. */
const FEW = 3

/** A short list in a cell; a longer one is counted, and opens. */
function Few({ many, children }: { many(count: number): string; readonly children: readonly ComponentChildren[] }) {
  const list = (
    <ul class="few">
      {children.map((one, at) => (
        <li key={at}>{one}</li>
      ))}
    </ul>
  )
  if (children.length <= FEW) return list
  return (
    <details>
      <summary>{many(children.length)}</summary>
      {list}
    </details>
  )
}

function appOf({ clientName, clientId }: Grant): string {
  return clientName ?? clientId
}
