import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Facts, findObstacles, tagOf } from '../../scripts/release-checks.js'
import { root, run } from '../support/packed.js'

const READY: Facts = {
  manifest: { name: 'petstore-mock', version: '1.2.3', repository: 'https://example.test/petstore-mock.git' },
  changes: '# Changelog\n\n## 1.2.3 (2026-03-31)\n\n- New.\n\n## 1.2.2 (2026-01-01)\n',
  uncommitted: '',
  tags: ['v1.2.1', 'v1.2.2'],
}

it('finds no obstacles if everything is ready', () => {
  expect(findObstacles(READY)).toEqual([])
  expect(tagOf(READY.manifest)).toBe('v1.2.3')
})

it.each<[string, Partial<Facts>, RegExp]>([
  ['an invalid version', { manifest: { ...READY.manifest, version: '1.2' } }, /must look like 1\.2\.3, but is 1\.2/],
  ['a version with a leading zero', { manifest: { ...READY.manifest, version: '1.02.3' } }, /but is 1\.02\.3/],
  [
    'a changelog without a version',
    { changes: '## Unreleased\n' },
    /must be "1\.2\.3 \(year-month-day\)", but is "Unreleased"/,
  ],
  ['a changelog of another version', { changes: '## 1.2.2 (2026-01-01)\n' }, /but is "1\.2\.2 \(2026-01-01\)"/],
  ['a changelog without a date', { changes: '## 1.2.3\n' }, /but is "1\.2\.3"/],
  ['a changelog with an impossible date', { changes: '## 1.2.3 (2026-02-30)\n' }, /but is "1\.2\.3 \(2026-02-30\)"/],
  ['an empty changelog', { changes: '# Changelog\n' }, /but is ""/],
  ['no repository', { manifest: { name: 'petstore-mock', version: '1.2.3' } }, /must have a "repository"/],
  ['uncommitted files', { uncommitted: ' M README.md' }, /must be committed/],
  ['a tag that exists', { tags: ['v1.2.3'] }, /the tag v1\.2\.3 exists/],
])('finds obstacles: %s', (_, facts, sentence) => {
  expect(findObstacles({ ...READY, ...facts })).toContainEqual(expect.stringMatching(sentence))
})

it('has a changelog and a valid version', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const obstacles = findObstacles({ manifest, changes, uncommitted: '', tags: [] })
  expect(obstacles.filter((obstacle) => obstacle.startsWith('The version'))).toEqual([])
  expect(changes).toMatch(new RegExp(`^## (Unreleased|${manifest.version} \\(\\d{4}-\\d{2}-\\d{2}\\))$`, 'm'))
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
})

it('publishes nothing if the flag is unknown', async () => {
  const release = run('npx', ['tsx', 'scripts/release.ts', '--pubish'], { cwd: root })
  await expect(release).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Received: --pubish') })
})
