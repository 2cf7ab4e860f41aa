import { useState } from 'preact/hooks'
import { decide } from './acts.ts'
import type { Session } from '../ui/session/answers.ts'
import type { Interaction } from './answers.ts'
import type { PageModel } from './model.ts'

/** Our choice: a longer list of numbers gets a search field and scrolls by itself. */
const MANY = 10

interface ConsentProps {
  readonly model: PageModel
  readonly session: Session
  readonly interaction: Interaction
}

/**
 * What a client asks for, and the choice of what it gets. No button takes the focus, so that a key pressed for
 * something else decides nothing.
 */
export function ConsentView({ model, session, interaction }: ConsentProps) {
  const { consent: words } = model.words
  const { id, client, scopes, numbers } = interaction
  const [chosen, choose] = useState(
    () => new Set<string>(scopes.filter(({ allowed }) => allowed).map(({ scope }) => scope)),
  )
  const mayAll = session.user === null || session.user.role === 'OWNER' || session.user.role === 'ADMIN'
  const [ofAll, setOfAll] = useState(false)
  const [named, name] = useState(() => new Set(numbers.length === 1 ? numbers.map((number) => number.id) : []))
  const isReady = chosen.size > 0 && (ofAll || named.size > 0)
  const allow = () =>
    decide(model, id, { decision: 'allow', scopes: [...chosen], channelNumberIds: ofAll ? null : [...named] })
  return (
    <div class="form">
      <ClientFacts model={model} session={session} interaction={interaction} />
      <Scopes model={model} scopes={scopes} chosen={chosen} choose={choose} />
      <fieldset>
        <legend>{words.numbers}</legend>
        {mayAll && (
          <Choice name="ofAll" value="all" type="checkbox" isChosen={ofAll} choose={setOfAll}>
            {words.allNumbers}
          </Choice>
        )}
        {!ofAll && <Numbers model={model} numbers={numbers} named={named} name={name} />}
      </fieldset>
      {client.isLoopback && <p class="warning">{words.loopback}</p>}
      <div class="actions sticky">
        {!isReady && (
          <p class="hint" id="why-not" data-why-not>
            {chosen.size === 0 ? words.chooseScope : words.chooseNumber}
          </p>
        )}
        <Decisions model={model} isReady={isReady} allow={allow} deny={() => decide(model, id, { decision: 'deny' })} />
      </div>
    </div>
  )
}

interface DecisionsProps {
  readonly model: PageModel
  /** Whether the choice can be allowed. */
  readonly isReady: boolean
  readonly allow: () => unknown
  readonly deny: () => unknown
}

function Decisions({ model, isReady, allow, deny }: DecisionsProps) {
  const { consent: words } = model.words
  return (
    <>
      <button
        class="button primary"
        type="button"
        data-action="allow"
        {...(isReady ? {} : { 'aria-describedby': 'why-not' })}
        disabled={!isReady || model.isBusy.value}
        onClick={() => void allow()}
      >
        {words.allow}
      </button>
      <button
        class="button quiet"
        type="button"
        data-action="deny"
        disabled={model.isBusy.value}
        onClick={() => void deny()}
      >
        {words.deny}
      </button>
    </>
  )
}

interface ScopesProps {
  readonly model: PageModel
  readonly scopes: Interaction['scopes']
  readonly chosen: ReadonlySet<string>
  readonly choose: (scopes: Set<string>) => void
}

/** The scopes that the client asks for; a scope that the person does not have is shown and cannot be chosen. */
function Scopes({ model, scopes, chosen, choose }: ScopesProps) {
  const { consent: words } = model.words
  return (
    <fieldset>
      <legend>{words.scopes}</legend>
      {scopes.map(({ scope, description, allowed }) => (
        <Choice
          key={scope}
          name="scopes"
          value={scope}
          type="checkbox"
          isChosen={chosen.has(scope)}
          isDisabled={!allowed}
          choose={(isChosen) => choose(changed(chosen, scope, isChosen))}
        >
          {words.scope[scope] ?? description}
          {!allowed && <span class="hint"> {words.notYours}</span>}
        </Choice>
      ))}
    </fieldset>
  )
}

/** Who asks, as far as it is known, and where the browser goes with the answer. */
function ClientFacts({ model, session, interaction: { client, resource } }: ConsentProps) {
  const { consent: words, account } = model.words
  return (
    <dl class="facts">
      <dt>{words.client}</dt>
      <dd>
        <span dir="auto">{client.name ?? client.clientId}</span> <span class="hint">{words.notVerified}</span>
      </dd>
      <dt>{words.leadsTo}</dt>
      <dd data-redirect-host>{client.redirectHost}</dd>
      <dt>{words.uses}</dt>
      <dd>{resource.endsWith('/mcp') ? words.tools : words.api}</dd>
      <dt>{words.you}</dt>
      <dd dir="auto">{session.user === null ? account.byKey : session.user.email}</dd>
    </dl>
  )
}

interface NumbersProps {
  readonly model: PageModel
  readonly numbers: Interaction['numbers']
  readonly named: ReadonlySet<string>
  readonly name: (ids: Set<string>) => void
}

/** The numbers to choose from; a long list is searchable and scrolls by itself. */
function Numbers({
  model: {
    words: { consent: words },
  },
  numbers,
  named,
  name,
}: NumbersProps) {
  const [filter, setFilter] = useState('')
  const isMany = numbers.length > MANY
  const isMeant = meantBy(filter)
  // Chosen numbers stay visible during a search, so that nobody allows more than they see.
  const shown = numbers.filter((number) => named.has(number.id) || isMeant(number))
  return (
    <>
      {isMany && <FilterField label={words.filter} value={filter} setValue={setFilter} />}
      <div
        class={isMany ? 'choices many' : 'choices'}
        {...(isMany ? { tabIndex: 0, role: 'group', 'aria-label': words.numbers } : {})}
      >
        {shown.map((number) => (
          <Choice
            key={number.id}
            name="channelNumberIds"
            value={number.id}
            type="checkbox"
            isChosen={named.has(number.id)}
            choose={(isChosen) => name(changed(named, number.id, isChosen))}
          >
            <span dir="auto">{number.name}</span> <span class="muted number">+{number.number.replace(/^\+/, '')}</span>
          </Choice>
        ))}
        {!numbers.some(isMeant) && <p class="hint">{numbers.length === 0 ? words.noNumbers : words.noneFound}</p>}
      </div>
    </>
  )
}

interface FilterFieldProps {
  readonly label: string
  readonly value: string
  readonly setValue: (value: string) => void
}

function FilterField({ label, value, setValue }: FilterFieldProps) {
  return (
    <input
      class="filter"
      type="text"
      role="searchbox"
      name="filter"
      aria-label={label}
      placeholder={label}
      value={value}
      autocomplete="off"
      onInput={(event) => setValue(event.currentTarget.value)}
    />
  )
}

/** Makes the test whether a number matches a search, by its name or its digits. */
function meantBy(filter: string): (number: Interaction['numbers'][number]) => boolean {
  const [words, digits] = [filter.trim().toLocaleLowerCase(), filter.replaceAll(/\D/g, '')]
  return ({ name, number }) => name.toLocaleLowerCase().includes(words) || (digits !== '' && number.includes(digits))
}

interface ChoiceProps {
  readonly name: string
  readonly value: string
  readonly type: 'checkbox'
  readonly isChosen: boolean
  readonly isDisabled?: boolean
  readonly choose: (isChosen: boolean) => void
  readonly children: preact.ComponentChildren
}

function Choice({ name, value, type, isChosen, isDisabled = false, choose, children }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        name={name}
        value={value}
        type={type}
        checked={isChosen}
        disabled={isDisabled}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}

function changed(set: ReadonlySet<string>, value: string, isChosen: boolean): Set<string> {
  const others = [...set].filter((one) => one !== value)
  return new Set(isChosen ? [...others, value] : others)
}
