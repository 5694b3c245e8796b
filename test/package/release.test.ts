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

it('finds nothing to be done where everything is ready', () => {
  expect(findObstacles(READY)).toEqual([])
  expect(tagOf(READY.manifest)).toBe('v1.2.3')
})

it.each<[string, Partial<Facts>, RegExp]>([
  [
    'a version that is none',
    { manifest: { ...READY.manifest, version: '1.2' } },
    /must be one such as 1\.2\.3, but is 1\.2/,
  ],
  ['a version with a leading zero', { manifest: { ...READY.manifest, version: '1.02.3' } }, /but is 1\.02\.3/],
  [
    'changes without a version',
    { changes: '## Unreleased\n' },
    /headed "1\.2\.3 \(year-month-day\)", but is "Unreleased"/,
  ],
  ['changes of another version', { changes: '## 1.2.2 (2026-01-01)\n' }, /but is "1\.2\.2 \(2026-01-01\)"/],
  ['changes without a date', { changes: '## 1.2.3\n' }, /but is "1\.2\.3"/],
  ['changes of a day that there is not', { changes: '## 1.2.3 (2026-02-30)\n' }, /but is "1\.2\.3 \(2026-02-30\)"/],
  ['no changes at all', { changes: '# Changelog\n' }, /but is ""/],
  ['no repository', { manifest: { name: 'petstore-mock', version: '1.2.3' } }, /must name its "repository"/],
  ['files that are not committed', { uncommitted: ' M README.md' }, /must be committed/],
  ['a tag that is taken', { tags: ['v1.2.3'] }, /there is a tag v1\.2\.3/],
])('finds what is left to be done: %s', (_, facts, sentence) => {
  expect(findObstacles({ ...READY, ...facts })).toContainEqual(expect.stringMatching(sentence))
})

it('has changes to tell of and a version that npm takes', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const obstacles = findObstacles({ manifest, changes, uncommitted: '', tags: [] })
  expect(obstacles.filter((obstacle) => obstacle.startsWith('the version'))).toEqual([])
  expect(changes).toMatch(new RegExp(`^## (Unreleased|${manifest.version} \\(\\d{4}-\\d{2}-\\d{2}\\))$`, 'm'))
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
})

it('publishes nothing for a flag that it does not know', async () => {
  const refusal = run('npx', ['tsx', 'scripts/release.ts', '--pubish'], { cwd: root })
  await expect(refusal).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('but got --pubish') })
})
