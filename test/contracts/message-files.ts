import type { TestFn } from 'ava'
import { newSecretId, type FileId } from '../../src/domain/ids.ts'
import type { AddedFile } from '../../src/ports/stores/file-store.ts'
import { HOUR_MS } from './message-world.ts'
import { ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

function newFile(world: World, owned: Owned, fields: Partial<AddedFile> = {}): AddedFile {
  return {
    id: newSecretId('file'),
    tenantId: owned.tenantId,
    numberId: owned.number.id,
    path: 'a/b',
    mimeType: 'image/png',
    sizeBytes: 5_000_000_000,
    fileName: 'a.png',
    createdAt: new Date(world.clock.now()),
    expiresAt: new Date(world.clock.now() + HOUR_MS),
    ...fields,
  }
}

/** What every FileStore does. */
export function fileStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a file is found by its id until it expires, and taken away once`, async (t) => {
    const world = makeWorld(Date.UTC(2005, 0, 1))
    const [owned, stranger] = [await ownedNumber(world), await ownedNumber(world)]
    const { files } = world.stores
    const [kept, removed, orphan] = [
      newFile(world, owned),
      newFile(world, owned, { fileName: null }),
      newFile(world, stranger),
    ]
    for (const file of [kept, removed, orphan]) t.true(await files.add(file))
    t.false(await files.add(newFile(world, owned, { tenantId: stranger.tenantId })))
    t.deepEqual(await files.find(kept.id), kept)
    t.is(await files.find('file_unknown'), null)
    t.deepEqual(await files.remove([removed.id, 'file_unknown' as FileId]), [removed])
    t.is(await files.find(removed.id), null)
    const taken = async () => (await files.takeExpired(1000)).filter(({ id }) => id === kept.id || id === orphan.id)
    t.deepEqual(await taken(), [])
    await world.stores.numbers.remove(stranger.tenantId, stranger.number.id)
    t.is(await files.find(orphan.id), null)
    t.deepEqual(await taken(), [orphan])
    world.clock.advance(HOUR_MS)
    t.is(await files.find(kept.id), null)
    t.deepEqual(await taken(), [kept])
    t.deepEqual(await taken(), [])
  })
}
