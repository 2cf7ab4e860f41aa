/**
 * A program that inspects and converts untrusted files, apart from the program that sends them. It gets paths of local
 * files only, opens them with a named demuxer or image loader and no protocol but `file`, and holds no secret (its
 * environment is empty).
 */
import { liveAsChild } from './child.ts'
import { makeVideo } from './films.ts'
import { checkPicture, makeLogo, makePicture } from './pictures.ts'
import type { MediaJobOrder, MediaReport, MediaResult, MediaTask } from './protocol/converting.ts'
import { makeAudio } from './sounds.ts'
import { Unfit } from './unfit.ts'

liveAsChild()
process.on('message', (order: MediaJobOrder) => void run(order))
report({ type: 'ready' })

async function run({ jobId, work }: MediaJobOrder): Promise<void> {
  try {
    report({ type: 'done', jobId, result: await perform(work) })
  } catch (error) {
    report({ type: 'failed', jobId, fault: error instanceof Unfit ? error.fault : 'unreadable' })
  }
}

function perform(work: MediaTask): Promise<MediaResult> {
  switch (work.task) {
    case 'image':
      return checkPicture(work)
    case 'picture':
      return makePicture(work)
    case 'logo':
      return makeLogo(work)
    case 'audio':
      return makeAudio(work)
    case 'video':
      return makeVideo(work)
  }
}

function report(message: MediaReport): void {
  if (process.connected) process.send?.(message)
}
