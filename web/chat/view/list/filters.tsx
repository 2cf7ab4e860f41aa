import { useDrawn } from '../context.ts'

/** Filters of the list: unread only, and one of several numbers. */
export function Filters() {
  const {
    inbox: { conversations, session },
    words,
  } = useDrawn()
  const filter = conversations.filter.value
  const numbers = session.value?.numbers ?? []
  return (
    <div class="filters">
      <button
        type="button"
        class="toggle"
        data-action="filter-unread"
        aria-pressed={filter.unreadOnly}
        onClick={() => void conversations.setFilter({ ...filter, unreadOnly: !filter.unreadOnly })}
      >
        {words.list.unread}
      </button>
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
