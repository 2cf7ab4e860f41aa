import type { FlowId } from '../../domain/ids.ts'
import type { FlowAsk, FlowFate, StoredFlow } from '../../ports/stores/flow-store.ts'
import { askingOf } from '../official/asking.ts'
import { NO_SUCH_FLOW } from './find.ts'
import type { FlowPorts } from './ports.ts'

/** The steps of asking upstream about a Flow. */
export const { beginAsk, settleWith, letBe, inDoubt } = askingOf<FlowPorts, StoredFlow, FlowId, FlowAsk, FlowFate>(
  ({ flows, clock }) => ({
    clock,
    async change(id, decide) {
      const changed = await flows.change(id, decide)
      return changed && { row: changed.flow, isRemoved: changed.isRemoved }
    },
  }),
  NO_SUCH_FLOW,
)
