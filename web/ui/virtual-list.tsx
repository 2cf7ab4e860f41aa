import type { Ref, VNode } from 'preact'
import { VList } from 'virtua'
import type { VListHandle, VListProps } from 'virtua'

export type { VListHandle } from 'virtua'

type Props<T> = Omit<VListProps<T>, 'ref'> & { readonly ref?: Ref<VListHandle>; readonly 'data-thread'?: string }

/**
 * A list that draws only its visible items. virtua's types are React's and lack Preact refs, so the component is typed
 * here.
 */
export const VirtualList = VList as unknown as <T>(props: Props<T>) => VNode
