import { useDrawn } from '../context.ts'

const SHOWN = ['unread', 'archived'] as const

/** Filters of the list: unread or archived ones only, and those of one of several numbers. */
export function Filters() {
  const {
    inbox: { conversations, session },
    words,
    features,
  } = useDrawn()
  const filter = conversations.filter.value
  const numbers = session.value?.numbers ?? []
  return (
    <div class="filters">
      {SHOWN.filter((show) => show === 'unread' || features.archive).map((show) => (
        <button
          key={show}
          type="button"
          class="toggle"
          data-action={`filter-${show}`}
          aria-pressed={filter.show === show}
          onClick={() => void conversations.setFilter({ ...filter, show: filter.show === show ? 'all' : show })}
        >
          {words.list[show]}
        </button>
      ))}
      {numbers.length > 1 && (
        <select
          aria-label={words.list.number}
          value={filter.numberId ?? ''}
          onChange={(event) => void conversations.setFilter({ ...filter, numberId: event.currentTarget.value || null })}
        >
          <option value="">{words.list.allNumbers}</option>
          {numbers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
