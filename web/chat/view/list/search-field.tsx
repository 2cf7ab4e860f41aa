import SearchSign from 'lucide/dist/esm/icons/search.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../../ui/icon.tsx'
import { typed } from '../../../ui/typed.ts'
import { MOST } from '../../state/search.ts'
import type { Search } from '../../state/search.ts'
import { useDrawn } from '../context.ts'
import { enterList } from '../roving.ts'

/** The search field for names, numbers and texts; Esc clears it. */
export function SearchField({ search }: { readonly search: Search }) {
  const { inbox, words } = useDrawn()
  const type = (text: string): void => search.type(text, inbox.conversations.filter.value.numberId)
  return (
    <search class="search">
      <Icon of={SearchSign} size={16} />
      <input
        type="text"
        role="searchbox"
        data-search
        aria-label={words.list.search}
        placeholder={words.list.searchHint}
        value={search.text.value}
        autocomplete="off"
        onInput={(event) => type(typed(event.currentTarget, MOST))}
        onKeyDown={(event) => {
          enterList(event, '.side [data-conversation]')
          if (event.key !== 'Escape' || search.text.value === '') return
          event.preventDefault()
          type('')
        }}
      />
      {search.text.value !== '' && (
        <button type="button" class="plain" aria-label={words.list.clear} onClick={() => type('')}>
          <Icon of={X} size={16} />
        </button>
      )}
    </search>
  )
}
