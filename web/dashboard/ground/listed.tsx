import type { ComponentChildren } from 'preact'
import { useApp } from '../shell/app.ts'
import { Empty, FaultLine } from './asked.tsx'
import type { CodeWords } from './fault-text.ts'
import { List } from './list.tsx'
import type { ListProps } from './list.tsx'
import type { ListState } from './use-list.ts'
import type { Notice } from './use-pages.ts'

interface ListedProps<Item> extends Omit<ListProps<Item>, 'items' | 'more' | 'isLoadingMore'> {
  readonly of: ListState<Item> & { readonly notice?: Notice | null }
  /** What is said when there is no row. */
  readonly none: string
  readonly codes?: CodeWords
  /** What stands above the rows once there are some. */
  readonly above?: ComponentChildren
}

/** Says why privacy keeps something back; nothing when it does not. */
export function NoticeLine({ of }: { readonly of: Notice | null }) {
  const { words } = useApp()
  return (
    of !== null && (
      <p class="hint" role="note" data-notice={of}>
        {words.notices[of]}
      </p>
    )
  )
}

/** Draws a list that is read page by page: a bone while it is awaited, the fault with a retry, and the rows. */
export function Listed<Item>({ of, none, codes, above, ...list }: ListedProps<Item>) {
  const { words } = useApp()
  const { items, fault, notice = null } = of
  if (items === null && fault === null)
    return (
      <div class="bone" aria-busy="true" role="status">
        <span class="unseen">{words.loading}</span>
      </div>
    )
  return (
    <>
      {fault !== null && (
        <FaultLine fault={fault} {...(codes === undefined ? {} : { codes })} again={() => of.again()} />
      )}
      <NoticeLine of={notice} />
      {items?.length === 0 && <Empty text={none} />}
      {items !== null && items.length > 0 && (
        <>
          {above}
          <List {...list} items={items} isLoadingMore={of.isLoadingMore} {...(of.hasMore ? { more: of.more } : {})} />
        </>
      )}
    </>
  )
}
