import { UpstreamFlows } from './flows.ts'
import type { FrontDeps } from './front.ts'
import { UpstreamTemplates } from './templates.ts'

/** An account of the official platform, which may fail. */
export class Platform {
  readonly templates: UpstreamTemplates
  readonly flows: UpstreamFlows

  constructor(deps: FrontDeps) {
    this.templates = new UpstreamTemplates(deps)
    this.flows = new UpstreamFlows(deps)
  }

  get isQuiet(): boolean {
    return this.templates.front.isQuiet && this.flows.front.isQuiet
  }

  /** Whether a write took effect late, so that only a listing can find it. */
  get hasLate(): boolean {
    return this.templates.front.hasLate || this.flows.front.hasLate
  }

  /** From now on nothing of it fails or is slow. */
  calm(): void {
    this.templates.front.troublePercent = 0
    this.flows.front.troublePercent = 0
  }
}
