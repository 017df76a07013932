<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
 <context>
  <name>Warpscope</name>
  <message>
   <source>
%1 rows have no figure in the later run.</source>
   <translation>
较晚的一次运行中有 %1 行没有数据。</translation>
  </message>
  <message>
   <source>  ·  page %1 of %2</source>
   <translation> · 第 %1 页，共 %2 页</translation>
  </message>
  <message>
   <source>  ·  result %1 × %2</source>
   <translation> · 结果 %1 × %2</translation>
  </message>
  <message>
   <source> (did you mean '%1'?)</source>
   <translation> （是否指“%1”？）</translation>
  </message>
  <message>
   <source> (of an earlier result: the present one failed)</source>
   <translation> （先前的结果：当前的失败了）</translation>
  </message>
  <message>
   <source> (paused: not up to date)</source>
   <translation> （已暂停：不是最新）</translation>
  </message>
  <message>
   <source> (ring around the marker: cold cache)</source>
   <translation> （标记外有圈：冷缓存）</translation>
  </message>
  <message>
   <source> (stale)</source>
   <translation> （已过期）</translation>
  </message>
  <message>
   <source> (updating)</source>
   <translation> （更新中）</translation>
  </message>
  <message>
   <source> and float</source>
   <translation> 和浮点</translation>
  </message>
  <message>
   <source> at %1, %2</source>
   <translation> 位于 %1, %2</translation>
  </message>
  <message>
   <source> ms</source>
   <translation> ms</translation>
  </message>
  <message>
   <source> s</source>
   <translation> s</translation>
  </message>
  <message>
   <source> · where both are</source>
   <translation> · 两者都有之处</translation>
  </message>
  <message>
   <source>&quot;%1&quot; is no list of sizes: 640, 1920x1080, with sides up to %2.</source>
   <translation>&quot;%1&quot; 不是尺寸列表：应为 640, 1920x1080，边长不超过 %2。</translation>
  </message>
  <message>
   <source>%</source>
   <translation>%</translation>
  </message>
  <message>
   <source>% of copy</source>
   <translation>复制速度 %</translation>
  </message>
  <message>
   <source>%1
Allowed: %2.
A double click here brings the default back.</source>
   <translation>%1
允许：%2。
在此双击可恢复默认值。</translation>
  </message>
  <message>
   <source>%1
Default: %2. Allowed: %3 to %4.</source>
   <translation>%1
默认：%2。允许：%3 至 %4。</translation>
  </message>
  <message>
   <source>%1
This machine has no usable GPU: &quot;Show a machine with a GPU&quot; opens a run that is shipped with the program.</source>
   <translation>%1
本机没有可用的 GPU：“显示有 GPU 的机器”可打开随程序附带的一次运行。</translation>
  </message>
  <message>
   <source>%1 %</source>
   <translation>%1 %</translation>
  </message>
  <message>
   <source>%1 % of a frame after %2</source>
   <translation>一帧的 %1 %，用时 %2</translation>
  </message>
  <message>
   <source>%1 %2</source>
   <translation>%1 %2</translation>
  </message>
  <message>
   <source>%1 %2</source>
   <comment>parameter and value</comment>
   <translation>%1 %2</translation>
  </message>
  <message>
   <source>%1 %2</source>
   <comment>step, level</comment>
   <translation>%1 %2</translation>
  </message>
  <message>
   <source>%1 %2 at %3</source>
   <comment>channel, per cent, value</comment>
   <translation>%1 %2，值 %3</translation>
  </message>
  <message>
   <source>%1 %2 to %3, gamma %4</source>
   <comment>step, black, white</comment>
   <translation>%1 %2 到 %3，伽马 %4</translation>
  </message>
  <message>
   <source>%1 %: %2</source>
   <translation>%1 %: %2</translation>
  </message>
  <message>
   <source>%1 (%2 %3)</source>
   <comment>automatic (7 px)</comment>
   <translation>%1 (%2 %3)</translation>
  </message>
  <message>
   <source>%1 (%2)</source>
   <translation>%1 (%2)</translation>
  </message>
  <message>
   <source>%1 (default)</source>
   <translation>%1（默认）</translation>
  </message>
  <message>
   <source>%1 (missing)</source>
   <translation>%1（缺失）</translation>
  </message>
  <message>
   <source>%1 (not before this step)</source>
   <translation>%1（不在此步骤之前）</translation>
  </message>
  <message>
   <source>%1 (there, with one thread)</source>
   <translation>%1（该处单线程）</translation>
  </message>
  <message>
   <source>%1 GB/s</source>
   <translation>%1 GB/s</translation>
  </message>
  <message>
   <source>%1 MiB</source>
   <translation>%1 MiB</translation>
  </message>
  <message>
   <source>%1 MiB of images are not page-locked, and copied more slowly: %2</source>
   <translation>%1 MiB 的图像未能锁定在内存中，复制会更慢：%2</translation>
  </message>
  <message>
   <source>%1 a frame</source>
   <translation>每帧 %1</translation>
  </message>
  <message>
   <source>%1 against %2</source>
   <translation>%1 对比 %2</translation>
  </message>
  <message>
   <source>%1 against %2, %3</source>
   <translation>%1 对比 %2，%3</translation>
  </message>
  <message>
   <source>%1 against %2: %3</source>
   <translation>%1 对比 %2：%3</translation>
  </message>
  <message>
   <source>%1 against the best CPU (%2), %3</source>
   <translation>%1 对比最快 CPU（%2），%3</translation>
  </message>
  <message>
   <source>%1 and %2</source>
   <translation>%1 和 %2</translation>
  </message>
  <message>
   <source>%1 and %2 %3</source>
   <translation>%1 和 %2 %3</translation>
  </message>
  <message>
   <source>%1 and %2 have samples of different kinds.</source>
   <translation>%1 和 %2 的样本类型不同。</translation>
  </message>
  <message>
   <source>%1 and %2, %3 × %4 pixels</source>
   <translation>%1 和 %2，%3 × %4 像素</translation>
  </message>
  <message>
   <source>%1 and %2: bound by neither (latency, launches or synchronization)</source>
   <translation>%1，%2：两者都不是瓶颈（延迟、启动或同步）</translation>
  </message>
  <message>
   <source>%1 and 1 thread: %2</source>
   <translation>%1 与单线程：%2</translation>
  </message>
  <message>
   <source>%1 and 1 thread: %2. No speedup is shown.</source>
   <translation>%1 与单线程：%2。不显示加速比。</translation>
  </message>
  <message>
   <source>%1 as text</source>
   <translation>%1 文本</translation>
  </message>
  <message>
   <source>%1 at %2</source>
   <translation>%1（%2）</translation>
  </message>
  <message>
   <source>%1 at %2, %3</source>
   <translation>%1，位于 %2, %3</translation>
  </message>
  <message>
   <source>%1 becomes %2</source>
   <translation>%1 变为 %2</translation>
  </message>
  <message>
   <source>%1 bins</source>
   <translation>%1 个区间</translation>
  </message>
  <message>
   <source>%1 bit</source>
   <translation>%1 位</translation>
  </message>
  <message>
   <source>%1 bits</source>
   <translation>%1 位</translation>
  </message>
  <message>
   <source>%1 bytes after the last sample were left out</source>
   <translation>最后一个样本之后的 %1 字节已忽略</translation>
  </message>
  <message>
   <source>%1 bytes are more than the limit of %2 bytes for a file</source>
   <translation>%1 字节超过文件 %2 字节的上限</translation>
  </message>
  <message>
   <source>%1 bytes are too many: at most %2 MiB</source>
   <translation>%1 字节过多：至多 %2 MiB</translation>
  </message>
  <message>
   <source>%1 cannot be used, %2: taking %3</source>
   <translation>%1 无法使用，%2：改用 %3</translation>
  </message>
  <message>
   <source>%1 cannot be used: %2</source>
   <translation>%1 无法使用：%2</translation>
  </message>
  <message>
   <source>%1 channels are more than the limit of %2</source>
   <translation>%1 个通道超过上限 %2</translation>
  </message>
  <message>
   <source>%1 channels where %2 are expected</source>
   <translation>%1 个通道（应为 %2 个）</translation>
  </message>
  <message>
   <source>%1 copied as on the screen: %2 bits, %3. Saving as TIFF keeps the samples.</source>
   <translation>已按屏幕所见复制 %1：%2 位，%3。保存为 TIFF 可保留样本。</translation>
  </message>
  <message>
   <source>%1 copied, %2 bits.</source>
   <translation>已复制 %1，%2 位。</translation>
  </message>
  <message>
   <source>%1 counts rectangles only, no ellipse and no polygon</source>
   <translation>%1 只统计矩形，不统计椭圆和多边形</translation>
  </message>
  <message>
   <source>%1 counts; it gives no image to look at</source>
   <translation>%1 只计数，没有可看的图像</translation>
  </message>
  <message>
   <source>%1 does not answer</source>
   <translation>%1 没有应答</translation>
  </message>
  <message>
   <source>%1 does not lie right of %2:%3; x must rise</source>
   <translation>%1 不在 %2:%3 右侧；x 必须递增</translation>
  </message>
  <message>
   <source>%1 end to end, transfers included</source>
   <translation>%1 端到端，含传输</translation>
  </message>
  <message>
   <source>%1 ends at once</source>
   <translation>%1 立即结束</translation>
  </message>
  <message>
   <source>%1 failed</source>
   <translation>%1 失败</translation>
  </message>
  <message>
   <source>%1 from test strip</source>
   <translation>试条中的 %1</translation>
  </message>
  <message>
   <source>%1 gave no counts</source>
   <translation>%1 没有给出计数</translation>
  </message>
  <message>
   <source>%1 gave no result</source>
   <translation>%1 没有给出结果</translation>
  </message>
  <message>
   <source>%1 gives numbers, not an image, and cannot be a step</source>
   <translation>%1 给出数字而非图像，不能作步骤</translation>
  </message>
  <message>
   <source>%1 h %2 min</source>
   <translation>%1 小时 %2 分</translation>
  </message>
  <message>
   <source>%1 has a fixed meaning in the window.</source>
   <translation>%1 在窗口中有固定用途。</translation>
  </message>
  <message>
   <source>%1 has changed</source>
   <translation>%1 已改变</translation>
  </message>
  <message>
   <source>%1 has changed and cannot be read: the picture is of before. %2</source>
   <translation>%1 已更改且无法读取：显示的是更改前的图像。%2</translation>
  </message>
  <message>
   <source>%1 has no alpha channel and this image is not opaque; save as PNG, TIFF or WebP, or drop the alpha first</source>
   <translation>%1 没有 alpha 通道而此图像不是不透明；请存为 PNG、TIFF 或 WebP，或先舍去 alpha</translation>
  </message>
  <message>
   <source>%1 has no figure for %2 at %3. The nearest it has: %4.</source>
   <translation>%1 在 %3 没有 %2 的数据。最接近的是：%4。</translation>
  </message>
  <message>
   <source>%1 has no figure for %2 of any kind.</source>
   <translation>%1 中没有 %2 的任何数据。</translation>
  </message>
  <message>
   <source>%1 has no figure for %2 with these parameters. It has: %3.</source>
   <translation>%1 中没有 %2 在这些参数下的数据。已有：%3。</translation>
  </message>
  <message>
   <source>%1 has no page %2</source>
   <translation>%1 没有第 %2 页</translation>
  </message>
  <message>
   <source>%1 has no place that all steps were timed on.</source>
   <translation>%1 没有所有步骤都测过时的位置。</translation>
  </message>
  <message>
   <source>%1 has no variant '%2'</source>
   <translation>%1 没有变体“%2”</translation>
  </message>
  <message>
   <source>%1 has no variant '%2'; there are %3</source>
   <translation>%1 没有变体“%2”；有 %3</translation>
  </message>
  <message>
   <source>%1 has nothing alike</source>
   <translation>%1 没有类似的功能</translation>
  </message>
  <message>
   <source>%1 has other sizes or parameters than the texts for: %2.</source>
   <translation>%1 在以下运算上的尺寸或参数与来源文献不同：%2。</translation>
  </message>
  <message>
   <source>%1 images are more than the limit of %2</source>
   <translation>%1 幅图像超过上限 %2</translation>
  </message>
  <message>
   <source>%1 in %2</source>
   <translation>%1，单位 %2</translation>
  </message>
  <message>
   <source>%1 in %2 round</source>
   <translation>%2 轮共 %1 个</translation>
  </message>
  <message>
   <source>%1 in %2 rounds</source>
   <translation>%2 轮共 %1 个</translation>
  </message>
  <message>
   <source>%1 is %2, allowed are %3</source>
   <translation>%1 为 %2，允许 %3</translation>
  </message>
  <message>
   <source>%1 is %2, but it %3 (%4)</source>
   <translation>%1 为 %2，但它%3（%4）</translation>
  </message>
  <message>
   <source>%1 is %2, but it is a whole number from %3</source>
   <translation>%1 为 %2，但应为整数，范围 %3</translation>
  </message>
  <message>
   <source>%1 is '%2', allowed are %3</source>
   <translation>%1 为“%2”，允许 %3</translation>
  </message>
  <message>
   <source>%1 is less than a twentieth</source>
   <translation>%1 小于二十分之一</translation>
  </message>
  <message>
   <source>%1 is no file and is not in it</source>
   <translation>%1 不是文件，未包含在内</translation>
  </message>
  <message>
   <source>%1 is no file: save it first, so that a command can open it.</source>
   <translation>%1 不是文件：请先保存，命令才能打开它。</translation>
  </message>
  <message>
   <source>%1 is no part of this program</source>
   <translation>%1 不属于本程序</translation>
  </message>
  <message>
   <source>%1 is no whole number from 1 to %2; files have %3 seconds</source>
   <translation>%1 不是 1 到 %2 的整数；文件的解码时间限制为 %3 秒</translation>
  </message>
  <message>
   <source>%1 is no whole number. For fractions make all entries larger, and the divisor as well.</source>
   <translation>%1 不是整数。要用分数，请把所有项和除数一起放大。</translation>
  </message>
  <message>
   <source>%1 is not a number</source>
   <translation>%1 不是数字</translation>
  </message>
  <message>
   <source>%1 is not a pipeline of this program; expected '%2%3'</source>
   <translation>%1 不是本程序的处理链；应为 '%2%3'</translation>
  </message>
  <message>
   <source>%1 is not at hand as it was when it was timed; open it again</source>
   <translation>%1 已不是测量时的样子；请重新打开</translation>
  </message>
  <message>
   <source>%1 is not there</source>
   <translation>%1 不存在</translation>
  </message>
  <message>
   <source>%1 is out of range, %2</source>
   <translation>%1 超出范围，%2</translation>
  </message>
  <message>
   <source>%1 is the key of %2.</source>
   <translation>%1 已是“%2”的快捷键。</translation>
  </message>
  <message>
   <source>%1 levels in %2 bins</source>
   <translation>%1 级，分为 %2 个区间</translation>
  </message>
  <message>
   <source>%1 may have changed</source>
   <translation>%1 可能已更改</translation>
  </message>
  <message>
   <source>%1 min</source>
   <translation>%1 分</translation>
  </message>
  <message>
   <source>%1 min %2 s</source>
   <translation>%1 分 %2 秒</translation>
  </message>
  <message>
   <source>%1 mm</source>
   <translation>%1 mm</translation>
  </message>
  <message>
   <source>%1 ms</source>
   <translation>%1 ms</translation>
  </message>
  <message>
   <source>%1 ms%2: upload %3, kernels %4, download %5 ms, %6</source>
   <translation>%1 ms%2：上传 %3、内核 %4、下载 %5 ms，%6</translation>
  </message>
  <message>
   <source>%1 ms, %2 %3 to %4 ms, n = %5%6, %7</source>
   <translation>%1 ms，%2 %3 至 %4 ms，n = %5%6，%7</translation>
  </message>
  <message>
   <source>%1 not measured: %2</source>
   <translation>%1 未测量：%2</translation>
  </message>
  <message>
   <source>%1 objects</source>
   <translation>%1 个对象</translation>
  </message>
  <message>
   <source>%1 of %2</source>
   <translation>%1 / %2</translation>
  </message>
  <message>
   <source>%1 of %2 bytes reached the disk</source>
   <translation>%2 字节中有 %1 字节写入了磁盘</translation>
  </message>
  <message>
   <source>%1 of %2 rows, not all with all rounds.</source>
   <translation>%2 行中的 %1 行，并非都完成所有轮。</translation>
  </message>
  <message>
   <source>%1 of %2 steps kept</source>
   <translation>%2 个步骤中 %1 个已保留</translation>
  </message>
  <message>
   <source>%1 of %2 steps were in the cache from before: they took no time.</source>
   <translation>%2 个步骤中有 %1 个先前已在缓存中：未耗时。</translation>
  </message>
  <message>
   <source>%1 of %2 threads</source>
   <translation>%1/%2 线程</translation>
  </message>
  <message>
   <source>%1 of %2 threads worked</source>
   <translation>%2 个线程中 %1 个参与工作</translation>
  </message>
  <message>
   <source>%1 of %2 worked</source>
   <translation>%2 个中 %1 个参与工作</translation>
  </message>
  <message numerus="yes">
   <source>%1 of %n lines named; the others at the cursor</source>
   <translation>
    <numerusform>已列出 %n 条线中的 %1 条；其余见光标处</numerusform>
   </translation>
  </message>
  <message>
   <source>%1 of copying</source>
   <translation>复制速度的 %1</translation>
  </message>
  <message>
   <source>%1 of the arithmetic peak</source>
   <translation>算术峰值的 %1</translation>
  </message>
  <message>
   <source>%1 of the program's own scene, %2 x %3 pixels, computed by the CPU when this report was written.</source>
   <translation>对程序自带场景做%1，%2 x %3 像素，写本报告时由 CPU 计算。</translation>
  </message>
  <message>
   <source>%1 offered, %2 worked</source>
   <translation>提供 %1，工作 %2</translation>
  </message>
  <message>
   <source>%1 on</source>
   <translation>%1，在</translation>
  </message>
  <message>
   <source>%1 pixels name a palette entry that is not there and are shown black</source>
   <translation>%1 个像素引用了不存在的调色板项，显示为黑色</translation>
  </message>
  <message>
   <source>%1 pixels/inch</source>
   <translation>%1 像素/英寸</translation>
  </message>
  <message>
   <source>%1 px (%2, %3)</source>
   <translation>%1 px（%2，%3）</translation>
  </message>
  <message>
   <source>%1 results</source>
   <translation>%1 个结果</translation>
  </message>
  <message>
   <source>%1 results, each sampled for %2 s and %3 times at least, in %6: from %4, if every run is short and steady, to %7, if all are as slow as may be. What would take above %5 s is skipped. The remaining time is counted down once some are there.</source>
   <translation>%1 项结果，每项至少采样 %2 秒、%3 次，分 %6：若每次运行都短而稳定，需 %4；若都慢到上限，最多 %7。超过 %5 秒的会跳过。有了一些结果后将显示剩余时间。</translation>
  </message>
  <message>
   <source>%1 results, round %2 for the noisy ones, until they are steady: %3</source>
   <translation>%1 个结果，波动大者第 %2 轮，直到稳定：%3</translation>
  </message>
  <message>
   <source>%1 results, round %2, %3 of %4</source>
   <translation>%1 个结果，第 %2 轮，共 %4 中的 %3</translation>
  </message>
  <message>
   <source>%1 rounds</source>
   <translation>%1 轮</translation>
  </message>
  <message>
   <source>%1 rows</source>
   <translation>%1 行</translation>
  </message>
  <message>
   <source>%1 rows, %2 with figures, %3 of them noisy.</source>
   <translation>%1 行，其中 %2 行有数字，%3 行波动大。</translation>
  </message>
  <message>
   <source>%1 rows: figures, samples, speedups, commands</source>
   <translation>%1 行：数值、样本、加速比、命令</translation>
  </message>
  <message>
   <source>%1 s</source>
   <translation>%1 s</translation>
  </message>
  <message>
   <source>%1 samples from %2 to %3 ms%4</source>
   <translation>%1 个样本，%2 至 %3 毫秒%4</translation>
  </message>
  <message>
   <source>%1 sets another</source>
   <translation>用 %1 另行设置</translation>
  </message>
  <message>
   <source>%1 stands for %2 GPUs: taking %3</source>
   <translation>%1 对应 %2 个 GPU：改用 %3</translation>
  </message>
  <message>
   <source>%1 steps are too many: a pipeline has at most %2</source>
   <translation>%1 个步骤过多：处理链至多 %2 个</translation>
  </message>
  <message>
   <source>%1 take %2 in memory, more than the limit of %3 MiB%4%5</source>
   <translation>%1 在内存中占 %2，超过上限 %3 MiB%4%5</translation>
  </message>
  <message>
   <source>%1 threads</source>
   <translation>%1 线程</translation>
  </message>
  <message>
   <source>%1 to %2</source>
   <translation>%1 至 %2</translation>
  </message>
  <message>
   <source>%1 to %2 of %3 threads</source>
   <translation>%1–%2/%3 线程</translation>
  </message>
  <message>
   <source>%1 to %2 points x:y between ;, both from %3 to %4</source>
   <translation>%1 至 %2 个点 x:y，以 ; 分隔，均为 %3 至 %4</translation>
  </message>
  <message>
   <source>%1 to %2 px</source>
   <translation>%1 至 %2 px</translation>
  </message>
  <message>
   <source>%1 to %2%3, default %4</source>
   <translation>%1 至 %2%3，默认 %4</translation>
  </message>
  <message>
   <source>%1 to %2, noisy</source>
   <translation>%1 至 %2，波动大</translation>
  </message>
  <message>
   <source>%1 to %2: changes nothing</source>
   <translation>%1 至 %2：不改变任何内容</translation>
  </message>
  <message>
   <source>%1 was not opened. %2</source>
   <translation>未能打开 %1。%2</translation>
  </message>
  <message>
   <source>%1 was not recorded, %2 was.</source>
   <translation>没有 %1 的记录，只有 %2 的。</translation>
  </message>
  <message>
   <source>%1 with %2</source>
   <translation>%1 与 %2</translation>
  </message>
  <message>
   <source>%1 with this variant counts rectangles only, no ellipse and no polygon</source>
   <translation>%1 用此变体只统计矩形，不统计椭圆和多边形</translation>
  </message>
  <message>
   <source>%1 x %2 is no image size: sides go from 1 to %3</source>
   <translation>%1 x %2 不是图像尺寸：边长为 1 到 %3</translation>
  </message>
  <message>
   <source>%1 x %2 is no size</source>
   <translation>%1 x %2 不是尺寸</translation>
  </message>
  <message>
   <source>%1 x %2 is too large for an image</source>
   <translation>%1 x %2 对一幅图像来说太大</translation>
  </message>
  <message>
   <source>%1 x %2 pixels</source>
   <translation>%1 x %2 像素</translation>
  </message>
  <message>
   <source>%1 x %2 pixels from %3, %4 on, of a frame of %5 x %6 from %7, %8 on</source>
   <translation>自 %3, %4 起的 %1 x %2 像素，画幅为自 %7, %8 起的 %5 x %6</translation>
  </message>
  <message>
   <source>%1 x %2 pixels in %3 bytes of run lengths are more than the limit of %4 for a byte</source>
   <translation>%3 字节行程编码中有 %1 x %2 像素，超过每字节 %4 像素的上限</translation>
  </message>
  <message>
   <source>%1 x %2 pixels: %3 allows sides up to %4</source>
   <translation>%1 x %2 像素：%3 的边长至多为 %4</translation>
  </message>
  <message>
   <source>%1 x %2 pixels: a side may have at most %3</source>
   <translation>%1 x %2 像素：边长至多 %3</translation>
  </message>
  <message>
   <source>%1 | %2</source>
   <comment>left and right</comment>
   <translation>%1 | %2</translation>
  </message>
  <message>
   <source>%1 · %2%</source>
   <translation>%1 · %2%</translation>
  </message>
  <message>
   <source>%1 · %2% of the speed of copying</source>
   <translation>%1 · 复制速度的 %2%</translation>
  </message>
  <message>
   <source>%1 · cache</source>
   <translation>%1 · 缓存</translation>
  </message>
  <message>
   <source>%1 · in the cache</source>
   <translation>%1 · 在缓存中</translation>
  </message>
  <message>
   <source>%1 · moved apart, F links</source>
   <translation>%1 · 已错开，按 F 重新联动</translation>
  </message>
  <message>
   <source>%1 – %2</source>
   <translation>%1 – %2</translation>
  </message>
  <message>
   <source>%1 – Warpscope</source>
   <translation>%1 – Warpscope</translation>
  </message>
  <message>
   <source>%1%</source>
   <translation>%1%</translation>
  </message>
  <message>
   <source>%1%2 against %3</source>
   <translation>%1%2 对比 %3</translation>
  </message>
  <message>
   <source>%1, %2</source>
   <translation>%1, %2</translation>
  </message>
  <message>
   <source>%1, %2 bits</source>
   <translation>%1，%2 位</translation>
  </message>
  <message>
   <source>%1, %2 × %3 pixels</source>
   <translation>%1，%2 × %3 像素</translation>
  </message>
  <message>
   <source>%1, 32-bit float</source>
   <translation>%1，32 位浮点</translation>
  </message>
  <message>
   <source>%1, about %2 left: %3</source>
   <translation>%1，约剩 %2：%3</translation>
  </message>
  <message>
   <source>%1, as recorded</source>
   <translation>%1，按录制的参数</translation>
  </message>
  <message>
   <source>%1, but the intervals meet</source>
   <translation>%1，但区间相交</translation>
  </message>
  <message>
   <source>%1, cold</source>
   <translation>%1，冷</translation>
  </message>
  <message>
   <source>%1, end to end</source>
   <translation>%1，端到端</translation>
  </message>
  <message>
   <source>%1, found by the method</source>
   <translation>%1，由该方法求得</translation>
  </message>
  <message>
   <source>%1, in its own size and format</source>
   <translation>%1，保持自身尺寸和格式</translation>
  </message>
  <message>
   <source>%1, kernels</source>
   <translation>%1，内核</translation>
  </message>
  <message>
   <source>%1, logarithmic</source>
   <translation>%1，对数</translation>
  </message>
  <message>
   <source>%1, measured here, %2</source>
   <translation>%1，在此测量，%2</translation>
  </message>
  <message>
   <source>%1, noisy</source>
   <translation>%1，波动大</translation>
  </message>
  <message>
   <source>%1, not a file</source>
   <translation>%1，不是文件</translation>
  </message>
  <message>
   <source>%1, present value</source>
   <translation>%1，当前值</translation>
  </message>
  <message>
   <source>%1, published, %2</source>
   <translation>%1，已发表，%2</translation>
  </message>
  <message>
   <source>%1, recorded</source>
   <translation>%1，录制</translation>
  </message>
  <message>
   <source>%1, region %2 × %3 at (%4, %5)</source>
   <translation>%1，区域 %2 × %3，位于 (%4, %5)</translation>
  </message>
  <message>
   <source>%1, remaining time not known yet: %2</source>
   <translation>%1，剩余时间未知：%2</translation>
  </message>
  <message>
   <source>%1, result</source>
   <translation>%1，结果</translation>
  </message>
  <message>
   <source>%1, step %2</source>
   <translation>%1，步骤 %2</translation>
  </message>
  <message>
   <source>%1, then drag</source>
   <translation>%1，然后拖动</translation>
  </message>
  <message>
   <source>%1, warm</source>
   <translation>%1，热</translation>
  </message>
  <message>
   <source>%1. %2</source>
   <translation>%1。%2</translation>
  </message>
  <message>
   <source>%1. All that moves fits in the cache, which is faster than the memory.</source>
   <translation>%1。传送的数据全部装得进缓存，缓存比内存快。</translation>
  </message>
  <message>
   <source>%1. Click or Return takes it, with Shift the strip stays.</source>
   <translation>%1。单击或按 Return 采用，按住 Shift 则试条保留。</translation>
  </message>
  <message>
   <source>%1: %2</source>
   <translation>%1: %2</translation>
  </message>
  <message>
   <source>%1: %2</source>
   <comment>handle, value</comment>
   <translation>%1: %2</translation>
  </message>
  <message>
   <source>%1: %2</source>
   <comment>step, point</comment>
   <translation>%1: %2</translation>
  </message>
  <message>
   <source>%1: %2 ms, begun at %3 ms</source>
   <translation>%1：%2 ms，始于 %3 ms</translation>
  </message>
  <message>
   <source>%1: %2 of %3 figures moved; median change %4%, largest %5%</source>
   <translation>%1：%3 个数据中 %2 个有变动；变化中位数 %4%，最大 %5%</translation>
  </message>
  <message>
   <source>%1: %2, so no speedup is shown</source>
   <translation>%1：%2，因此不显示加速比</translation>
  </message>
  <message>
   <source>%1: '%2' is not a number</source>
   <translation>%1：“%2”不是数</translation>
  </message>
  <message>
   <source>%1: LibRaw %2 does not read it</source>
   <translation>%1：LibRaw %2 不能读取</translation>
  </message>
  <message>
   <source>%1: bound by arithmetic</source>
   <translation>%1：瓶颈在运算</translation>
  </message>
  <message>
   <source>%1: bound by arithmetic, with better instructions or fewer operations than were counted</source>
   <translation>%1：瓶颈在运算，所用指令更好或运算少于所计</translation>
  </message>
  <message>
   <source>%1: bound by memory</source>
   <translation>%1：瓶颈在内存</translation>
  </message>
  <message>
   <source>%1: cannot be opened</source>
   <translation>%1：无法打开</translation>
  </message>
  <message>
   <source>%1: cannot be read</source>
   <translation>%1：无法读取</translation>
  </message>
  <message>
   <source>%1: is not a file</source>
   <translation>%1：不是文件</translation>
  </message>
  <message>
   <source>%1: not available, %2</source>
   <translation>%1：不可用，%2</translation>
  </message>
  <message>
   <source>%1: not bound by arithmetic</source>
   <translation>%1：瓶颈不在运算</translation>
  </message>
  <message>
   <source>%1: not bound by memory</source>
   <translation>%1：瓶颈不在内存</translation>
  </message>
  <message>
   <source>%1: not enough memory</source>
   <translation>%1：内存不足</translation>
  </message>
  <message>
   <source>%1: not enough memory on %2</source>
   <translation>%1：%2 上内存不足</translation>
  </message>
  <message>
   <source>%1: not enough memory on the GPU</source>
   <translation>%1：GPU 内存不足</translation>
  </message>
  <message>
   <source>%1: not saved, %2</source>
   <translation>%1：未保存，%2</translation>
  </message>
  <message>
   <source>%1: not saved, it is not the name of a file</source>
   <translation>%1：未保存，这不是文件名</translation>
  </message>
  <message>
   <source>%1: one frame of %2 takes about %3. That is too long for a race; Down chooses a smaller image.</source>
   <translation>%1：%2 的一帧约需 %3，不适合竞速；按向下键选择较小的图像。</translation>
  </message>
  <message>
   <source>%1: saved, but the folder could not be flushed to the disk: %2</source>
   <translation>%1：已保存，但文件夹无法写入磁盘：%2</translation>
  </message>
  <message>
   <source>%1: the result on %2 %3</source>
   <translation>%1：%2 上的结果%3</translation>
  </message>
  <message>
   <source>%1: the same operation, parameters and size, on the program's scene instead of the text's image</source>
   <translation>%1：运算、参数和尺寸相同，但用的是程序自带场景而非来源文献图像</translation>
  </message>
  <message>
   <source>%1: this build has no %2</source>
   <translation>%1：本构建不含 %2</translation>
  </message>
  <message>
   <source>%1; PSNR in dB of a peak of %2</source>
   <translation>%1；PSNR 单位 dB，峰值 %2</translation>
  </message>
  <message>
   <source>%1; counting…</source>
   <translation>%1；正在计数…</translation>
  </message>
  <message>
   <source>%1; default %2</source>
   <translation>%1；默认 %2</translation>
  </message>
  <message>
   <source>%1; in false colours</source>
   <translation>%1；以伪彩色显示</translation>
  </message>
  <message>
   <source>%1; restart to use the GPU again</source>
   <translation>%1；重新启动后可再次使用 GPU</translation>
  </message>
  <message>
   <source>%1×</source>
   <translation>%1×</translation>
  </message>
  <message numerus="yes">
   <source>%n more</source>
   <translation>
    <numerusform>还有 %n 项</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n more images</source>
   <translation>
    <numerusform>另有 %n 幅图像</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n samples are not finite and left out</source>
   <translation>
    <numerusform>%n 个样本非有限值，未计入</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n steps</source>
   <translation>
    <numerusform>%n 个步骤</numerusform>
   </translation>
  </message>
  <message>
   <source>&amp;100%</source>
   <translation>&amp;100%</translation>
  </message>
  <message>
   <source>&amp;About Warpscope</source>
   <translation>关于 Warpscope(&amp;A)</translation>
  </message>
  <message>
   <source>&amp;Add step…</source>
   <translation>添加步骤(&amp;A)…</translation>
  </message>
  <message>
   <source>&amp;All figures</source>
   <translation>全部数据(&amp;A)</translation>
  </message>
  <message>
   <source>&amp;Automatic</source>
   <translation>自动(&amp;A)</translation>
  </message>
  <message>
   <source>&amp;Benchmark…</source>
   <translation>基准测试(&amp;B)…</translation>
  </message>
  <message>
   <source>&amp;Beside them</source>
   <translation>并列显示(&amp;B)</translation>
  </message>
  <message>
   <source>&amp;Cancel</source>
   <translation>取消(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Cancel computation</source>
   <translation>取消计算(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Clear list</source>
   <translation>清空列表(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Compare with the image before</source>
   <translation>与前一图像比较(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Compare with the open image</source>
   <translation>与打开的图像比较(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Compute</source>
   <translation>计算(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Copy</source>
   <translation>复制(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Copy result</source>
   <translation>复制结果(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Dark</source>
   <translation>深色(&amp;D)</translation>
  </message>
  <message>
   <source>&amp;Delete step</source>
   <translation>删除步骤(&amp;D)</translation>
  </message>
  <message>
   <source>&amp;Demo</source>
   <translation>演示(&amp;D)</translation>
  </message>
  <message>
   <source>&amp;Difference with sign</source>
   <translation>带符号差值(&amp;D)</translation>
  </message>
  <message>
   <source>&amp;Drop region</source>
   <translation>取消区域(&amp;D)</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>编辑(&amp;E)</translation>
  </message>
  <message>
   <source>&amp;Ellipse</source>
   <translation>椭圆(&amp;E)</translation>
  </message>
  <message>
   <source>&amp;Everything to 4K</source>
   <translation>全部，直到 4K(&amp;E)</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>文件(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;Find a command…</source>
   <translation>查找命令(&amp;F)…</translation>
  </message>
  <message>
   <source>&amp;First that can be used</source>
   <translation>第一个可用的(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;Fit to window</source>
   <translation>适应窗口(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;Freehand</source>
   <translation>手绘(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;Full range</source>
   <translation>全范围(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;GPU</source>
   <translation>GPU(&amp;G)</translation>
  </message>
  <message>
   <source>&amp;GPU: %1</source>
   <translation>GPU(&amp;G)：%1</translation>
  </message>
  <message>
   <source>&amp;GPU: not available, %1</source>
   <translation>GPU(&amp;G)：不可用，%1</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>帮助(&amp;H)</translation>
  </message>
  <message>
   <source>&amp;Hide all panels</source>
   <translation>隐藏所有面板(&amp;H)</translation>
  </message>
  <message>
   <source>&amp;Keep open</source>
   <translation>保持打开(&amp;K)</translation>
  </message>
  <message>
   <source>&amp;Keep thumbnails on disk</source>
   <translation>在磁盘上保留缩略图(&amp;K)</translation>
  </message>
  <message>
   <source>&amp;Keys and mouse</source>
   <translation>键盘和鼠标(&amp;K)</translation>
  </message>
  <message>
   <source>&amp;Left</source>
   <translation>左侧(&amp;L)</translation>
  </message>
  <message>
   <source>&amp;Less exposure</source>
   <translation>减少曝光(&amp;L)</translation>
  </message>
  <message>
   <source>&amp;Light</source>
   <translation>浅色(&amp;L)</translation>
  </message>
  <message>
   <source>&amp;Logarithmic</source>
   <translation>对数(&amp;L)</translation>
  </message>
  <message>
   <source>&amp;Look</source>
   <translation>外观(&amp;L)</translation>
  </message>
  <message>
   <source>&amp;Measure timings again</source>
   <translation>重新测量用时(&amp;M)</translation>
  </message>
  <message>
   <source>&amp;Minimum to maximum</source>
   <translation>最小值到最大值(&amp;M)</translation>
  </message>
  <message>
   <source>&amp;Name step…</source>
   <translation>命名步骤(&amp;N)…</translation>
  </message>
  <message>
   <source>&amp;Next differing pixel</source>
   <translation>下一个不同的像素(&amp;N)</translation>
  </message>
  <message>
   <source>&amp;Next image</source>
   <translation>下一图像(&amp;N)</translation>
  </message>
  <message>
   <source>&amp;Next shape of regions</source>
   <translation>下一种区域形状(&amp;N)</translation>
  </message>
  <message>
   <source>&amp;Open</source>
   <translation>打开(&amp;O)</translation>
  </message>
  <message>
   <source>&amp;Open…</source>
   <translation>打开(&amp;O)…</translation>
  </message>
  <message>
   <source>&amp;Operations</source>
   <translation>运算(&amp;O)</translation>
  </message>
  <message>
   <source>&amp;Panels</source>
   <translation>面板(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Paste image</source>
   <translation>粘贴图像(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Pause</source>
   <translation>暂停(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Pause live update</source>
   <translation>暂停实时更新(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Percentiles 0.1 to 99.9</source>
   <translation>百分位 0.1 到 99.9(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Presets</source>
   <translation>预设(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Quick</source>
   <translation>快速(&amp;Q)</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>退出(&amp;Q)</translation>
  </message>
  <message>
   <source>&amp;Rectangle</source>
   <translation>矩形(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>重做(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Remove</source>
   <translation>移除(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Result</source>
   <translation>结果(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Resume</source>
   <translation>继续(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Save…</source>
   <translation>保存(&amp;S)…</translation>
  </message>
  <message>
   <source>&amp;Side by side, running…</source>
   <translation>并排运行(&amp;S)…</translation>
  </message>
  <message>
   <source>&amp;Source</source>
   <translation>原图(&amp;S)</translation>
  </message>
  <message>
   <source>&amp;Test strip…</source>
   <translation>试条(&amp;T)…</translation>
  </message>
  <message>
   <source>&amp;Theme</source>
   <translation>主题(&amp;T)</translation>
  </message>
  <message>
   <source>&amp;Time these rows</source>
   <translation>测量这些行(&amp;T)</translation>
  </message>
  <message>
   <source>&amp;Turn the wipe</source>
   <translation>旋转擦拭线(&amp;T)</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>撤销(&amp;U)</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>视图(&amp;V)</translation>
  </message>
  <message>
   <source>&amp;Wipe</source>
   <translation>划像(&amp;W)</translation>
  </message>
  <message>
   <source>&amp;Zoom to region</source>
   <translation>缩放到区域(&amp;Z)</translation>
  </message>
  <message>
   <source>'%1' is no GPU: a UUID as `warpscope-cli devices` prints it, or its beginning, such as GPU-1234</source>
   <translation>“%1”不是 GPU：请用 `warpscope-cli devices` 显示的 UUID 或其开头，例如 GPU-1234</translation>
  </message>
  <message>
   <source>'%1' is no name of a step: letters, digits, _ and -, at most 64</source>
   <translation>“%1”不能作步骤名称：可用字母、数字、_ 和 -，至多 64 个</translation>
  </message>
  <message>
   <source>'%1' is no timing file; expected '%2%3'</source>
   <translation>“%1”不是用时文件；应为“%2%3”</translation>
  </message>
  <message>
   <source>'%1' is not a list of %2</source>
   <translation>“%1”不是 %2 的列表</translation>
  </message>
  <message>
   <source>'%1' is not a point of the form x:y (points stand between ;)</source>
   <translation>“%1”不是 x:y 形式的点（点以 ; 分隔）</translation>
  </message>
  <message>
   <source>'%1' is not a whole number of 32 bits</source>
   <translation>“%1”不是 32 位整数</translation>
  </message>
  <message>
   <source>'%1' was written by a newer version of this program, which reads '%2%3'</source>
   <translation>'%1' 由本程序的较新版本写入，该版本读取 '%2%3'</translation>
  </message>
  <message>
   <source>(while the image has the focus)</source>
   <translation>（图像获得焦点时）</translation>
  </message>
  <message>
   <source>, %1 launches</source>
   <translation>，%1 次启动</translation>
  </message>
  <message>
   <source>, %1 pixels</source>
   <translation>，%1 像素</translation>
  </message>
  <message>
   <source>, %1 pixels of the source, %2 of the result</source>
   <translation>，原图 %1 像素，结果 %2 像素</translation>
  </message>
  <message>
   <source>, %1 samples not finite</source>
   <translation>，%1 个样本非有限值</translation>
  </message>
  <message>
   <source>, 1 launch</source>
   <translation>，1 次启动</translation>
  </message>
  <message>
   <source>, 95% of medians %1 to %2 ms%3</source>
   <translation>，中位数的 95% 为 %1 至 %2 ms%3</translation>
  </message>
  <message>
   <source>, about %1 in all</source>
   <translation>，共约 %1</translation>
  </message>
  <message>
   <source>, cannot be shown</source>
   <translation>，无法显示</translation>
  </message>
  <message>
   <source>, cold</source>
   <translation>，冷</translation>
  </message>
  <message>
   <source>, compared with</source>
   <translation>，对比</translation>
  </message>
  <message>
   <source>, end to end</source>
   <translation>，端到端</translation>
  </message>
  <message>
   <source>, full white to full white</source>
   <translation>，白电平对齐</translation>
  </message>
  <message>
   <source>, kernels</source>
   <translation>，内核</translation>
  </message>
  <message>
   <source>, lossless</source>
   <translation>，无损</translation>
  </message>
  <message>
   <source>, lossy</source>
   <translation>，有损</translation>
  </message>
  <message>
   <source>, luma 0.299/0.587/0.114 (BT.601)</source>
   <translation>，亮度 0.299/0.587/0.114 (BT.601)</translation>
  </message>
  <message>
   <source>, noisy</source>
   <translation>，波动大</translation>
  </message>
  <message>
   <source>, only the source's region at %1, %2 of %3 × %4</source>
   <translation>，仅原图的区域，位于 %1, %2，大小 %3 × %4</translation>
  </message>
  <message>
   <source>, pixels beside it: %1 below, %2 above</source>
   <translation>，其外的像素：下方 %1，上方 %2</translation>
  </message>
  <message>
   <source>, progressive</source>
   <translation>，渐进</translation>
  </message>
  <message>
   <source>, source %1</source>
   <translation>，原图 %1</translation>
  </message>
  <message>
   <source>, source left out: its bins are %1 times as wide as those of the result</source>
   <translation>，未画原图：其区间宽度是结果的 %1 倍</translation>
  </message>
  <message>
   <source>, source not on this axis</source>
   <translation>，原图不在此轴上</translation>
  </message>
  <message>
   <source>, source scaled from %1 bits</source>
   <translation>，原图由 %1 位换算</translation>
  </message>
  <message>
   <source>, stays open</source>
   <translation>，保持打开</translation>
  </message>
  <message>
   <source>, the last bar with %1 up to %2 ms</source>
   <translation>，最后一条含 %1 个，至多 %2 毫秒</translation>
  </message>
  <message>
   <source>- - tone curve</source>
   <translation>- - 色调曲线</translation>
  </message>
  <message>
   <source>- - tone curve (from a reduced copy)</source>
   <translation>- - 色调曲线（取自缩小的副本）</translation>
  </message>
  <message>
   <source>. The region lies outside the result</source>
   <translation>。区域在结果之外</translation>
  </message>
  <message>
   <source>. There is no result: the chain failed</source>
   <translation>。没有结果：处理链失败</translation>
  </message>
  <message>
   <source>0 %</source>
   <translation>0 %</translation>
  </message>
  <message>
   <source>0 to the white level; float: 0 to 1, or all its values beyond that</source>
   <translation>0 到白电平；浮点：0 到 1，或超出时的全部值</translation>
  </message>
  <message>
   <source>0.213 R + 0.715 G + 0.072 B, luma of HD video</source>
   <translation>0.213 R + 0.715 G + 0.072 B，高清视频的亮度</translation>
  </message>
  <message>
   <source>0.299 R + 0.587 G + 0.114 B, as grayscale makes it</source>
   <translation>0.299 R + 0.587 G + 0.114 B，与“灰度”运算相同</translation>
  </message>
  <message>
   <source>0.299 R + 0.587 G + 0.114 B, the usual luma</source>
   <translation>0.299 R + 0.587 G + 0.114 B，常用亮度</translation>
  </message>
  <message>
   <source>0: gray, 100: as it is, 200: twice as strong</source>
   <translation>0：灰色，100：不变，200：两倍饱和</translation>
  </message>
  <message>
   <source>1 1 1: smooths most along the edge</source>
   <translation>1 1 1：沿边缘方向平滑最强</translation>
  </message>
  <message>
   <source>1 2 1: the usual one</source>
   <translation>1 2 1：最常用</translation>
  </message>
  <message>
   <source>1 byte after the last sample was left out</source>
   <translation>最后一个样本之后的 1 字节已忽略</translation>
  </message>
  <message>
   <source>1 of %1 frames</source>
   <translation>%1 帧中的 1 帧</translation>
  </message>
  <message>
   <source>1 of %1 images</source>
   <translation>%1 幅图像中的 1 幅</translation>
  </message>
  <message>
   <source>1 result</source>
   <translation>1 个结果</translation>
  </message>
  <message>
   <source>1 row: figures, samples, speedups, commands</source>
   <translation>1 行：数值、样本、加速比、命令</translation>
  </message>
  <message>
   <source>1 thread</source>
   <translation>单线程</translation>
  </message>
  <message>
   <source>1 thread
ms</source>
   <translation>单线程
ms</translation>
  </message>
  <message>
   <source>10th and 90th percentile of the samples</source>
   <translation>样本的第 10 和第 90 百分位</translation>
  </message>
  <message>
   <source>16 bits became 8</source>
   <translation>16 位变为 8 位</translation>
  </message>
  <message>
   <source>16-bit colour</source>
   <translation>16 位彩色</translation>
  </message>
  <message>
   <source>16-bit float</source>
   <translation>16 位浮点</translation>
  </message>
  <message>
   <source>16-bit gray</source>
   <translation>16 位灰度</translation>
  </message>
  <message>
   <source>256 × 256: 15.21 is the speedup as printed; the printed times allow 15.26 to 15.60</source>
   <translation>256 × 256：15.21 为原文的加速比；按原文时间应为 15.26 至 15.60</translation>
  </message>
  <message>
   <source>3 10 3: treats all directions most alike; four times as steep</source>
   <translation>3 10 3：各方向最一致；陡度为四倍</translation>
  </message>
  <message>
   <source>32-bit float</source>
   <translation>32 位浮点</translation>
  </message>
  <message>
   <source>32-bit sums</source>
   <translation>32 位积分和</translation>
  </message>
  <message>
   <source>4</source>
   <translation>4</translation>
  </message>
  <message>
   <source>50 %: %1</source>
   <translation>50 %: %1</translation>
  </message>
  <message>
   <source>64-bit sums</source>
   <translation>64 位积分和</translation>
  </message>
  <message>
   <source>8</source>
   <translation>8</translation>
  </message>
  <message>
   <source>8 bits: 256 bins, 16 bits: 65,536 bins, one a value; luma is the BT.601 gray of `grayscale`.
Float and sums: 256 bins over [low, high], the range of the finite samples: bin = min(255, floor((v - low) 256 / (high - low))); luma = (19595 R + 38470 G + 7471 B) / 65536. A pixel with NaN or infinity in a colour is counted apart and in no bin.
Counts are exact, 64 bits.</source>
   <translation>8 位：256 个区间，16 位：65,536 个，每值一个；亮度为 `grayscale` 的 BT.601 灰度。
浮点与积分和：在有限样本范围 [low, high] 上分 256 个区间：bin = min(255, floor((v - low) 256 / (high - low)))；luma = (19595 R + 38470 G + 7471 B) / 65536。颜色中含 NaN 或无穷的像素另行计数，不入任何区间。
计数精确，64 位。</translation>
  </message>
  <message>
   <source>8-bit colour</source>
   <translation>8 位彩色</translation>
  </message>
  <message>
   <source>8-bit gray</source>
   <translation>8 位灰度</translation>
  </message>
  <message>
   <source>95% interval %1 to %2</source>
   <translation>95% 区间 %1 至 %2</translation>
  </message>
  <message>
   <source>95% interval %1 to %2 ms, %3% of the median wide; the scale is 10% below to 10% above it</source>
   <translation>95% 区间 %1 至 %2 毫秒，宽为中位数的 %3%；刻度为其下 10% 至其上 10%</translation>
  </message>
  <message>
   <source>95% interval %1 to %2, noisy</source>
   <translation>95% 区间 %1 至 %2，波动大</translation>
  </message>
  <message>
   <source>95% interval of the median (of one round: 10th to 90th percentile)</source>
   <translation>中位数的 95% 区间（单轮时：第 10 到第 90 百分位）</translation>
  </message>
  <message>
   <source>95% interval, ms</source>
   <translation>95% 区间，ms</translation>
  </message>
  <message>
   <source>95% of medians</source>
   <translation>中位数的 95%</translation>
  </message>
  <message>
   <source>; %1</source>
   <translation>; %1</translation>
  </message>
  <message>
   <source>; %1 noisy ones apart</source>
   <translation>；另有 %1 个波动大</translation>
  </message>
  <message>
   <source>; Cr over Cb</source>
   <translation>；Cr 对 Cb</translation>
  </message>
  <message>
   <source>; NaN or infinite: %1</source>
   <translation>；NaN 或无穷：%1</translation>
  </message>
  <message>
   <source>; beside the range: %1</source>
   <translation>；范围之外：%1</translation>
  </message>
  <message>
   <source>; end to end noisy %1</source>
   <translation>；端到端波动大 %1</translation>
  </message>
  <message>
   <source>; luminance over columns</source>
   <translation>；按列的亮度</translation>
  </message>
  <message>
   <source>; number of the object over columns</source>
   <translation>；按列的对象编号</translation>
  </message>
  <message>
   <source>; of the result %1 pixels</source>
   <translation>；结果 %1 像素</translation>
  </message>
  <message>
   <source>; of the result, %1 × %2</source>
   <translation>；属于结果，%1 × %2</translation>
  </message>
  <message>
   <source>; of the source %1</source>
   <translation>；原图 %1</translation>
  </message>
  <message>
   <source>; of the source alone, the chain failed</source>
   <translation>；仅原图，处理链失败</translation>
  </message>
  <message>
   <source>; red, green, blue over columns</source>
   <translation>；按列的红、绿、蓝</translation>
  </message>
  <message>
   <source>; the region lies outside the result</source>
   <translation>；区域在结果之外</translation>
  </message>
  <message>
   <source>; value over columns</source>
   <translation>；按列的值</translation>
  </message>
  <message>
   <source>; zoomed to %1 of %2</source>
   <translation>；放大到 %2 中的 %1</translation>
  </message>
  <message>
   <source>&lt;%1 %</source>
   <translation>&lt;%1 %</translation>
  </message>
  <message>
   <source>A adds a step</source>
   <translation>按 A 添加步骤</translation>
  </message>
  <message>
   <source>A benchmark is running. Close again to end it and close.</source>
   <translation>基准测试正在运行。再次关闭将结束它并关闭。</translation>
  </message>
  <message>
   <source>A change above this counts as moved</source>
   <translation>超过此值的变化算作变动</translation>
  </message>
  <message>
   <source>A click goes there in the image, Delete takes it away</source>
   <translation>单击跳到图像中该处，Delete 移除</translation>
  </message>
  <message>
   <source>A colour image becomes gray by weighted luma</source>
   <translation>彩色图像按加权亮度变为灰度</translation>
  </message>
  <message>
   <source>A comparison needs two different sides: run the benchmark, open a file of another machine or show the shipped results, or choose two places, variants or sizes of one set of results.</source>
   <translation>比较需要两个不同的对象：运行基准测试、打开另一台机器的文件、显示附带的结果，或在同一组结果中选择两个位置、变体或尺寸。</translation>
  </message>
  <message>
   <source>A histogram is counts, not an image</source>
   <translation>直方图是计数，不是图像</translation>
  </message>
  <message>
   <source>A logarithmic sweep begins above 0.</source>
   <translation>对数扫描须从大于 0 开始。</translation>
  </message>
  <message>
   <source>A long frame is computed in pieces, in turns with the other side: both bars grow, but never at the same time.</source>
   <translation>较长的一帧分段计算，与另一方轮流进行：两个进度条都在增长，但从不同时。</translation>
  </message>
  <message>
   <source>A mean of the four pixels around</source>
   <translation>周围四个像素的加权均值</translation>
  </message>
  <message>
   <source>A normally distributed value is added to each sample</source>
   <translation>给每个样本加上一个正态分布的值</translation>
  </message>
  <message>
   <source>A pass along rows and one along columns</source>
   <translation>沿行一遍，沿列一遍</translation>
  </message>
  <message>
   <source>A pipeline has at most %1 steps</source>
   <translation>处理链最多 %1 个步骤</translation>
  </message>
  <message>
   <source>A pipeline has at most %1 steps: nothing was added.</source>
   <translation>处理链最多 %1 个步骤：未添加任何内容。</translation>
  </message>
  <message>
   <source>A pipeline has room for %1 steps.</source>
   <translation>一条处理链最多容纳 %1 个步骤。</translation>
  </message>
  <message>
   <source>A pixel that is no farther than this from the median stays</source>
   <translation>与中值之差不超过此值的像素保持不变</translation>
  </message>
  <message>
   <source>A quarter of a circle, clockwise</source>
   <translation>顺时针四分之一圈</translation>
  </message>
  <message>
   <source>A quarter of a circle, counter-clockwise</source>
   <translation>逆时针四分之一圈</translation>
  </message>
  <message>
   <source>A rectangle of the image</source>
   <translation>图像的一个矩形</translation>
  </message>
  <message>
   <source>A result that is noisy gets more rounds, up to so many</source>
   <translation>波动大的结果会追加测量，最多这么多轮</translation>
  </message>
  <message>
   <source>A result that would take longer is skipped, and says so</source>
   <translation>耗时超过此值的结果会跳过，并注明</translation>
  </message>
  <message>
   <source>A row and a column through the pixel</source>
   <translation>过该像素的一行与一列</translation>
  </message>
  <message>
   <source>A row for gray, or for luma, red, green and blue, and for alpha unless every pixel is opaque. Percentiles say how an image is exposed where single pixels do not count; entropy says how many bits a sample is worth without its neighbours.</source>
   <translation>灰度一行；彩色则亮度、红、绿、蓝各一行，若有不全不透明的像素再加 alpha。百分位说明不计个别像素时图像的曝光；熵说明不看邻域时一个样本含多少位信息。</translation>
  </message>
  <message>
   <source>A row pass into a 16-bit image in memory and a column pass, the weights in constant memory: 2 size multiplications a sample. CPU: plain code, for comparison</source>
   <translation>行遍历写入内存中的 16 位图像，再做列遍历，权重在常量内存中：每样本 2 倍核大小次乘法。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>A run that is shipped with the program</source>
   <translation>随程序附带的一次运行</translation>
  </message>
  <message>
   <source>A save is not finished. Close again to cancel it and close.</source>
   <translation>保存尚未完成。再次关闭将取消保存并关闭。</translation>
  </message>
  <message>
   <source>A save is not finished. Close again to close all the same.</source>
   <translation>保存尚未完成。再次关闭则仍然关闭。</translation>
  </message>
  <message>
   <source>A scene that the program makes</source>
   <translation>程序生成的场景</translation>
  </message>
  <message>
   <source>A side of 2 radius + 1 pixels</source>
   <translation>边长为 2 × 半径 + 1 个像素</translation>
  </message>
  <message>
   <source>A step takes the second image, and none is open.</source>
   <translation>有步骤需要第二张图像，但尚未打开。</translation>
  </message>
  <message>
   <source>A study of CUDA gray conversion, Gaussian filter and histogram equalization</source>
   <translation>关于 CUDA 灰度转换、高斯滤波和直方图均衡化的研究</translation>
  </message>
  <message>
   <source>A study of CUDA gray conversion, Gaussian filter and histogram equalization; luma weights from ITU-R BT.601 and BT.709</source>
   <translation>关于 CUDA 灰度转换、高斯滤波和直方图均衡化的研究；亮度权重取自 ITU-R BT.601 和 BT.709</translation>
  </message>
  <message>
   <source>A study of image histograms in OpenCL</source>
   <translation>关于 OpenCL 图像直方图的研究</translation>
  </message>
  <message>
   <source>A study of integral images with CUDA</source>
   <translation>关于 CUDA 积分图的研究</translation>
  </message>
  <message>
   <source>A study of luminance histograms in CUDA</source>
   <translation>关于 CUDA 亮度直方图的研究</translation>
  </message>
  <message>
   <source>A study of luminance histograms in CUDA; A study of image histograms in OpenCL</source>
   <translation>关于 CUDA 亮度直方图的研究；关于 OpenCL 图像直方图的研究</translation>
  </message>
  <message>
   <source>A study of non-local means on integral images in CUDA</source>
   <translation>关于 CUDA 上基于积分图的非局部均值的研究</translation>
  </message>
  <message>
   <source>A sweep goes from a smaller to a larger value.</source>
   <translation>扫描须从较小值到较大值。</translation>
  </message>
  <message>
   <source>A sweep times its operation alone, in the variants that are chosen here</source>
   <translation>扫描只测其运算本身，用此处所选的变体</translation>
  </message>
  <message>
   <source>A table for each of red, green and blue: also removes colour casts, shifts hues</source>
   <translation>红、绿、蓝各一张表：同时消除偏色，但会改变色相</translation>
  </message>
  <message>
   <source>A table of the objects: area, place and values of each</source>
   <translation>对象的表格：每个对象的面积、位置和数值</translation>
  </message>
  <message>
   <source>A table that is made once</source>
   <translation>预先算好的表</translation>
  </message>
  <message>
   <source>A table that is made once; float: a cubic a sample</source>
   <translation>只生成一次的表；浮点：每样本一个三次式</translation>
  </message>
  <message>
   <source>A table that is made once; float: the formula a sample</source>
   <translation>预先算好的表；浮点：逐样本用公式</translation>
  </message>
  <message>
   <source>A&amp;mplify the difference, wipe onward</source>
   <translation>放大差异，擦拭线前移(&amp;M)</translation>
  </message>
  <message>
   <source>A. Meijster, J. Roerdink, W. Hesselink, A general algorithm for computing distance transforms in linear time, 2000; C. Maurer, R. Qi, V. Raghavan, A linear time algorithm for computing exact Euclidean distance transforms of binary images, 2003</source>
   <translation>A. Meijster, J. Roerdink, W. Hesselink, A general algorithm for computing distance transforms in linear time, 2000; C. Maurer, R. Qi, V. Raghavan, A linear time algorithm for computing exact Euclidean distance transforms of binary images, 2003</translation>
  </message>
  <message>
   <source>A. R. Smith, Color gamut transform pairs, 1978; CIE 15, Colorimetry; IEC 61966-2-1 (sRGB)</source>
   <translation>A. R. Smith, Color gamut transform pairs, 1978; CIE 15, Colorimetry; IEC 61966-2-1 (sRGB)</translation>
  </message>
  <message>
   <source>A. Rosenfeld, J. Pfaltz, Sequential operations in digital picture processing, 1966 (labels and their equivalences); R. Tarjan, Efficiency of a good but not linear set union algorithm, 1975</source>
   <translation>A. Rosenfeld, J. Pfaltz, Sequential operations in digital picture processing, 1966（标签及其等价关系）；R. Tarjan, Efficiency of a good but not linear set union algorithm, 1975</translation>
  </message>
  <message>
   <source>About Warpscope</source>
   <translation>关于 Warpscope</translation>
  </message>
  <message>
   <source>About this operation</source>
   <translation>关于此运算</translation>
  </message>
  <message>
   <source>Above 1 brightens the middle, below 1 darkens it</source>
   <translation>大于 1 提亮中间调，小于 1 压暗</translation>
  </message>
  <message>
   <source>Above 1 the middle becomes brighter, below 1 darker</source>
   <translation>大于 1 则中间调变亮，小于 1 则变暗</translation>
  </message>
  <message>
   <source>Above 1, the left side is faster</source>
   <translation>大于 1 表示左侧更快</translation>
  </message>
  <message>
   <source>Above 1×, the left side is faster; geometric mean: %1.</source>
   <translation>大于 1× 表示左侧更快；几何平均：%1。</translation>
  </message>
  <message>
   <source>Absolute</source>
   <translation>绝对值</translation>
  </message>
  <message>
   <source>Adaptive threshold</source>
   <translation>自适应阈值</translation>
  </message>
  <message>
   <source>Add</source>
   <translation>添加</translation>
  </message>
  <message>
   <source>Add %1</source>
   <translation>添加 %1</translation>
  </message>
  <message>
   <source>Add a step or switch one on: it is then timed on one thread and on all cores</source>
   <translation>添加或启用一个步骤：随后在单线程和全部核心上测时</translation>
  </message>
  <message>
   <source>Add a step or switch one on: it is then timed on one thread, on all cores and on the GPU</source>
   <translation>添加或启用一个步骤：随后在单线程、全部核心和 GPU 上测时</translation>
  </message>
  <message>
   <source>Add a threshold</source>
   <translation>添加阈值</translation>
  </message>
  <message>
   <source>Add an operation after the selected step</source>
   <translation>在所选步骤后添加运算</translation>
  </message>
  <message>
   <source>Add an operation after the selected step (%1)</source>
   <translation>在所选步骤后添加运算（%1）</translation>
  </message>
  <message>
   <source>Add noise</source>
   <translation>添加噪声</translation>
  </message>
  <message>
   <source>Add step</source>
   <translation>添加步骤</translation>
  </message>
  <message>
   <source>Added at the end, in 8-bit levels whatever the depth</source>
   <translation>最后加上，无论位深均以 8 位级别计</translation>
  </message>
  <message>
   <source>Adds to each pixel what sets it apart from its blurred surroundings: edges get steeper, fine detail stronger, and so does noise unless the threshold keeps small differences out. Sigma says how coarse the detail is. Alpha passes unchanged.</source>
   <translation>把每个像素与其模糊后的周围之差加到该像素上：边缘变陡，细节增强，噪声也会增强，除非用阈值排除小的差异。σ 表示细节的粗细。Alpha 不变。</translation>
  </message>
  <message>
   <source>After each step</source>
   <translation>各步骤之后</translation>
  </message>
  <message>
   <source>After the least number, sampling goes on for so long</source>
   <translation>达到最少次数后，继续采样这么久</translation>
  </message>
  <message>
   <source>After the sample at hand; the time of a pause is in no figure</source>
   <translation>当前样本之后暂停；暂停的时间不计入任何数据</translation>
  </message>
  <message>
   <source>After, with the defaults</source>
   <translation>处理后，默认参数</translation>
  </message>
  <message>
   <source>After: %1</source>
   <translation>处理后：%1</translation>
  </message>
  <message>
   <source>Against</source>
   <translation>对比</translation>
  </message>
  <message>
   <source>Against one thread: %1</source>
   <translation>对比单线程：%1</translation>
  </message>
  <message>
   <source>Against what the machine copies and computes: the lower roof bounds</source>
   <translation>对照本机的复制与计算能力：较低的屋顶为界</translation>
  </message>
  <message>
   <source>Agreement</source>
   <translation>一致性</translation>
  </message>
  <message>
   <source>All</source>
   <translation>全部</translation>
  </message>
  <message>
   <source>All channels</source>
   <translation>所有通道</translation>
  </message>
  <message>
   <source>All cores</source>
   <translation>全部核心</translation>
  </message>
  <message>
   <source>All cores
ms</source>
   <translation>全部核心
ms</translation>
  </message>
  <message>
   <source>All cores against one thread, both measured here. There is no GPU.</source>
   <translation>全部核心对比单线程，均在此测量。没有 GPU。</translation>
  </message>
  <message>
   <source>All files (*)</source>
   <translation>所有文件 (*)</translation>
  </message>
  <message>
   <source>All pixels within the radius: alike in all directions</source>
   <translation>半径之内的全部像素：各方向一致</translation>
  </message>
  <message>
   <source>All results with every field</source>
   <translation>含全部字段的所有结果</translation>
  </message>
  <message>
   <source>All steps of the pipeline</source>
   <translation>处理链的所有步骤</translation>
  </message>
  <message>
   <source>All steps, for people who would rather look</source>
   <translation>所有步骤，供只想观看的人</translation>
  </message>
  <message>
   <source>Alpha</source>
   <translation>Alpha</translation>
  </message>
  <message>
   <source>Alpha alone</source>
   <translation>仅 alpha</translation>
  </message>
  <message>
   <source>Alpha, which counts in no other row</source>
   <translation>alpha，不计入其他任何一行</translation>
  </message>
  <message>
   <source>Also the result that all others are compared with</source>
   <translation>包括其他结果所对比的那个</translation>
  </message>
  <message>
   <source>Amount</source>
   <translation>数量</translation>
  </message>
  <message>
   <source>Amplified %1 times</source>
   <translation>放大 %1 倍</translation>
  </message>
  <message>
   <source>Amplify half as much</source>
   <translation>放大倍数减半</translation>
  </message>
  <message>
   <source>Amplify less, wipe &amp;back</source>
   <translation>减小放大，擦拭线后移(&amp;B)</translation>
  </message>
  <message>
   <source>Amplify twice as much</source>
   <translation>放大倍数加倍</translation>
  </message>
  <message>
   <source>An edge must be steeper than this somewhere</source>
   <translation>边缘至少有一处须陡于此值</translation>
  </message>
  <message>
   <source>Analysis</source>
   <translation>分析</translation>
  </message>
  <message>
   <source>Analysis of source and result</source>
   <translation>原图与结果的分析</translation>
  </message>
  <message>
   <source>Angle</source>
   <translation>角度</translation>
  </message>
  <message>
   <source>Another number of pixels</source>
   <translation>改变像素数</translation>
  </message>
  <message>
   <source>Another seed gives other noise of the same kind</source>
   <translation>不同的种子给出同类的不同噪声</translation>
  </message>
  <message>
   <source>Another step is called %1 already.</source>
   <translation>另一步骤已名为 %1。</translation>
  </message>
  <message>
   <source>Any kernel of whole numbers</source>
   <translation>任意整数核</translation>
  </message>
  <message>
   <source>Append preset</source>
   <translation>追加预设</translation>
  </message>
  <message>
   <source>Append to the steps</source>
   <translation>追加到现有步骤之后</translation>
  </message>
  <message>
   <source>Area</source>
   <translation>面积</translation>
  </message>
  <message>
   <source>Area, place and values of each area of non-zero pixels</source>
   <translation>每个非零像素区域的面积、位置和数值</translation>
  </message>
  <message>
   <source>Around</source>
   <translation>周围</translation>
  </message>
  <message>
   <source>Arrow keys</source>
   <translation>方向键</translation>
  </message>
  <message>
   <source>Arrow keys read out bins, Shift with arrow keys selects a range, Escape drops it. Alt with arrow keys moves black, with Shift white. Up and Down zoom the axis, Ctrl with arrow keys moves along it, Return zooms to the selected range, Backspace shows all</source>
   <translation>方向键读出各区间，Shift 加方向键选择范围，Esc 取消。Alt 加方向键移动黑点，再加 Shift 移动白点。上下键缩放坐标轴，Ctrl 加方向键沿轴移动，回车缩放到所选范围，Backspace 显示全部</translation>
  </message>
  <message>
   <source>Arrow keys read out one cell after the other, with Shift ten</source>
   <translation>方向键逐格读出，加 Shift 每次十格</translation>
  </message>
  <message>
   <source>Arrow keys, wheel</source>
   <translation>方向键、滚轮</translation>
  </message>
  <message>
   <source>Arrows with a region</source>
   <translation>区域上的方向键</translation>
  </message>
  <message>
   <source>As in a mirror</source>
   <translation>如照镜子</translation>
  </message>
  <message>
   <source>As in still water</source>
   <translation>如水中倒影</translation>
  </message>
  <message>
   <source>As in the list of results</source>
   <translation>与结果列表相同</translation>
  </message>
  <message>
   <source>As it is now</source>
   <translation>当前效果</translation>
  </message>
  <message>
   <source>As large as before; corners are cut off</source>
   <translation>与原来一样大；四角被切去</translation>
  </message>
  <message>
   <source>As large as the turned image</source>
   <translation>与旋转后的图像一样大</translation>
  </message>
  <message>
   <source>As printed in the source texts, and ours</source>
   <translation>来源文献所印，以及我们的</translation>
  </message>
  <message>
   <source>As stored</source>
   <translation>按存储值</translation>
  </message>
  <message>
   <source>As stored; white where there is none</source>
   <translation>按存储值；没有则为白</translation>
  </message>
  <message>
   <source>As the one before, for all 2 s + 1 offsets of a row at once: fewer and larger passes, 2 s + 1 such images in memory, where the text sums a whole line in each thread. Not for float. CPU: plain code, for comparison</source>
   <translation>同前一种，但对一行的全部 2 s + 1 个偏移同时进行：遍数更少更大，内存中有 2 s + 1 幅这样的图像；原文由每个线程累加整行。不支持浮点。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>At least</source>
   <translation>至少</translation>
  </message>
  <message>
   <source>Auto</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>Automatic</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>Autosave: %1</source>
   <translation>自动保存：%1</translation>
  </message>
  <message>
   <source>Average</source>
   <translation>平均</translation>
  </message>
  <message>
   <source>B</source>
   <translation>B</translation>
  </message>
  <message>
   <source>B</source>
   <comment>blue</comment>
   <translation>B</translation>
  </message>
  <message>
   <source>BMP files hold up to 4 GiB, this image takes %1 MiB</source>
   <translation>BMP 文件至多 4 GiB，此图像需要 %1 MiB</translation>
  </message>
  <message>
   <source>BMP that holds a JPEG is not read</source>
   <translation>不读取内含 JPEG 的 BMP</translation>
  </message>
  <message>
   <source>BMP that holds a PNG is not read</source>
   <translation>不读取内含 PNG 的 BMP</translation>
  </message>
  <message>
   <source>BMP with %1 bits and compression %2 is not read</source>
   <translation>不读取 %1 位、压缩方式为 %2 的 BMP</translation>
  </message>
  <message>
   <source>BMP with channels of %1 bits is not read, only up to 8</source>
   <translation>不读取每通道 %1 位的 BMP，至多 8 位</translation>
  </message>
  <message>
   <source>BMP with compression %1 is not read</source>
   <translation>不读取压缩方式为 %1 的 BMP</translation>
  </message>
  <message>
   <source>BT.601: (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16
BT.709: (13933 R + 46871 G + 4732 B + 32768) &gt;&gt; 16
Average: (2 (R + G + B) + 3) / 6 in integers
Maximum: max(R, G, B)
16 bits alike. Float: R 19595/65536 + G 38470/65536 + B 7471/65536 and alike, (R + G + B) / 3, max(R, G, B), in this order, not rounded to levels; NaN in a colour gives NaN.</source>
   <translation>BT.601：(19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16
BT.709：(13933 R + 46871 G + 4732 B + 32768) &gt;&gt; 16
平均：(2 (R + G + B) + 3) / 6，整数运算
最大：max(R, G, B)
16 位相同。浮点：R 19595/65536 + G 38470/65536 + B 7471/65536 等，(R + G + B) / 3，max(R, G, B)，按此次序，不取整到灰度级；颜色中有 NaN 则得 NaN。</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>返回</translation>
  </message>
  <message>
   <source>Back to source and result</source>
   <translation>回到原图和结果</translation>
  </message>
  <message>
   <source>Bars</source>
   <translation>条形</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>处理前</translation>
  </message>
  <message>
   <source>Before %1 · Esc or Return shows the result</source>
   <translation>%1 之前 · Esc 或回车显示结果</translation>
  </message>
  <message>
   <source>Before and after</source>
   <translation>前后对比</translation>
  </message>
  <message>
   <source>Begins to measure (Ctrl+Return)</source>
   <translation>开始测量 (Ctrl+Return)</translation>
  </message>
  <message>
   <source>Benchmark of image operations on CPU and GPU</source>
   <translation>CPU 与 GPU 图像运算基准测试</translation>
  </message>
  <message>
   <source>Benchmark – Warpscope</source>
   <translation>基准测试 – Warpscope</translation>
  </message>
  <message>
   <source>Benchmark, %1</source>
   <translation>基准测试，%1</translation>
  </message>
  <message>
   <source>Best CPU</source>
   <translation>最快 CPU</translation>
  </message>
  <message>
   <source>Between points</source>
   <translation>点之间</translation>
  </message>
  <message>
   <source>Bicubic</source>
   <translation>双三次</translation>
  </message>
  <message>
   <source>Bilateral filter</source>
   <translation>双边滤波</translation>
  </message>
  <message>
   <source>Bilinear</source>
   <translation>双线性</translation>
  </message>
  <message>
   <source>Bins, pixels, weights of luminance, and where the pixels were counted</source>
   <translation>区间、像素、亮度权重，以及计数的位置</translation>
  </message>
  <message>
   <source>Bits</source>
   <translation>比特</translation>
  </message>
  <message>
   <source>Bits: %1</source>
   <translation>位数：%1</translation>
  </message>
  <message>
   <source>Black</source>
   <translation>黑</translation>
  </message>
  <message>
   <source>Black and w&amp;hite</source>
   <translation>黑点和白点(&amp;H)</translation>
  </message>
  <message>
   <source>Black and white automatically</source>
   <translation>自动设定黑与白</translation>
  </message>
  <message>
   <source>Black and white on the screen</source>
   <translation>屏幕上的黑点和白点</translation>
  </message>
  <message>
   <source>Black and white where what the step is given begins and ends: 0.35% of the samples lie beyond each, an even black or white surround aside</source>
   <translation>黑与白取在该步骤输入的两端：两端之外各有 0.35% 的样本，均匀的黑色或白色外围不计</translation>
  </message>
  <message>
   <source>Black and white: what is brighter than a level is white</source>
   <translation>黑白：比某一级别亮的为白</translation>
  </message>
  <message>
   <source>Black and white: what is brighter than its surroundings is white</source>
   <translation>黑白：比周围亮的为白</translation>
  </message>
  <message>
   <source>Black for 0, else another colour for each number</source>
   <translation>0 为黑，其余每个编号各一种颜色</translation>
  </message>
  <message>
   <source>Black hat</source>
   <translation>黑帽</translation>
  </message>
  <message>
   <source>Black letters on white paper, however unevenly it is lit. If paper turns black, raise the offset</source>
   <translation>白纸黑字，无论光照多么不均。若纸张变黑，请提高偏移</translation>
  </message>
  <message>
   <source>Black must be below white: %1 is not below %2. Nothing was changed.</source>
   <translation>黑必须低于白：%1 不低于 %2。未作更改。</translation>
  </message>
  <message>
   <source>Black of %1</source>
   <translation>%1的黑点</translation>
  </message>
  <message>
   <source>Black of the view</source>
   <translation>视图的黑点</translation>
  </message>
  <message>
   <source>Black over red to pale yellow, evenly brighter</source>
   <translation>由黑经红到浅黄，亮度均匀上升</translation>
  </message>
  <message>
   <source>Black over violet to pale rose, evenly brighter</source>
   <translation>由黑经紫到浅粉，亮度均匀上升</translation>
  </message>
  <message>
   <source>Black, opaque</source>
   <translation>黑，不透明</translation>
  </message>
  <message>
   <source>Black, red, yellow, white</source>
   <translation>黑、红、黄、白</translation>
  </message>
  <message>
   <source>Black, white and gamma</source>
   <translation>黑、白与伽马</translation>
  </message>
  <message>
   <source>Blend</source>
   <translation>混合</translation>
  </message>
  <message>
   <source>Blin&amp;k</source>
   <translation>闪烁(&amp;K)</translation>
  </message>
  <message>
   <source>Blocked, 4 x 4</source>
   <translation>分块，4 x 4</translation>
  </message>
  <message>
   <source>Blocks of 128 threads count 64 pixels a thread in shared memory; a second pass adds the blocks' tables up. 8 bits</source>
   <translation>每块 128 个线程，每线程在共享内存中计数 64 个像素；第二遍把各块的表相加。8 位</translation>
  </message>
  <message>
   <source>Blue</source>
   <translation>蓝</translation>
  </message>
  <message>
   <source>Blue alone</source>
   <translation>仅蓝</translation>
  </message>
  <message>
   <source>Blue below the middle, white at it, red above</source>
   <translation>中间以下为蓝，中间为白，以上为红</translation>
  </message>
  <message>
   <source>Blue over red to yellow, evenly brighter</source>
   <translation>由蓝经红到黄，亮度均匀上升</translation>
  </message>
  <message>
   <source>Blue to red</source>
   <translation>蓝到红</translation>
  </message>
  <message>
   <source>Blue to yellow, alike to the colour-blind</source>
   <translation>由蓝到黄，色觉异常者看来也一样</translation>
  </message>
  <message>
   <source>Both</source>
   <translation>两者</translation>
  </message>
  <message>
   <source>Both added up, white at most</source>
   <translation>两者相加，至多为白</translation>
  </message>
  <message>
   <source>Both passes cut off what is below a level, as a conversion to an integer does: about half of all samples come out one level too dark, and every further blur darkens the image more. 8 and 16 bits. CPU: plain code, for comparison</source>
   <translation>两遍都舍去一级以下的部分，如同转换为整数：约一半样本暗一级，继续模糊会使图像越来越暗。8 位和 16 位。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>Both sides get the same moving picture, a little different in every frame. They never run at the same time:&lt;br&gt;each has the machine to itself for a moment, then the other, and the screen is drawn in between.&lt;br&gt;A frame of the GPU is upload, kernels and download. The results of both sides are compared once for each&lt;br&gt;operation and size; where they do not agree no speedup is shown.</source>
   <translation>两侧得到同一活动画面，每帧略有不同。两侧从不同时运行：&lt;br&gt;先由一侧独占机器片刻，再换另一侧，其间绘制屏幕。&lt;br&gt;GPU 的一帧包括上传、内核和下载。每种运算和尺寸&lt;br&gt;都比较一次两侧的结果；不一致时不显示加速比。</translation>
  </message>
  <message>
   <source>Box mean</source>
   <translation>方框均值</translation>
  </message>
  <message>
   <source>Break-even</source>
   <translation>平衡点</translation>
  </message>
  <message>
   <source>Break-even sizes in words</source>
   <translation>用文字说明的平衡尺寸</translation>
  </message>
  <message>
   <source>Bright</source>
   <translation>亮</translation>
  </message>
  <message>
   <source>Brightens: black changes nothing, white gives white</source>
   <translation>提亮：黑不改变，白得白</translation>
  </message>
  <message>
   <source>Brighter than middle gray where the neighbours are brighter</source>
   <translation>邻近像素更亮处比中灰亮</translation>
  </message>
  <message>
   <source>Brightness of the scope</source>
   <translation>示波器的亮度</translation>
  </message>
  <message>
   <source>Brightness; a gray image itself</source>
   <translation>亮度；灰度图像即其本身</translation>
  </message>
  <message>
   <source>Build</source>
   <translation>构建</translation>
  </message>
  <message>
   <source>Bursts of samples with other rows between them</source>
   <translation>成批采样，其间插入其他行</translation>
  </message>
  <message>
   <source>By this name later steps take what this one gives.
Letters, digits, _ and -.</source>
   <translation>后面的步骤以此名取用本步骤的结果。
可用字母、数字、_ 和 -。</translation>
  </message>
  <message>
   <source>Bytes</source>
   <translation>字节</translation>
  </message>
  <message>
   <source>C</source>
   <translation>C</translation>
  </message>
  <message>
   <source>C</source>
   <comment>cyan</comment>
   <translation>C</translation>
  </message>
  <message>
   <source>C(v): samples at or below v; a percentile p is the smallest sample v with C(v) &gt;= p n. Deviation of the population. Entropy: -sum(c / n log2(c / n)) over the counts c. Black: at or below 0, white: at or above 255, 65,535, for float 1, also in a file that names a lower white level; luma is the BT.601 gray of `grayscale`.
8 and 16 bits: everything from exact counts, bins are values.
Float and sums: NaN and infinities are counted apart and in nothing else; mean and deviation in double (32-bit sums: exact), row by row in two passes; percentiles exact; entropy over 65,536 bins of the finite range: min(65535, floor((v - low) 65536 / (high - low))).</source>
   <translation>C(v)：不大于 v 的样本数；百分位 p 是满足 C(v) &gt;= p n 的最小样本 v。标准差按总体计算。熵：对计数 c 求 -sum(c / n log2(c / n))。黑：不大于 0，白：不小于 255、65,535，浮点为 1，即使文件注明的白电平更低；亮度为 `grayscale` 的 BT.601 灰度。
8 位和 16 位：全部由精确计数得出，区间即值。
浮点与积分和：NaN 和无穷另行计数，不入其他；均值和标准差用双精度（32 位和：精确），逐行两遍；百分位精确；熵用有限范围上的 65,536 个区间：min(65535, floor((v - low) 65536 / (high - low)))。</translation>
  </message>
  <message>
   <source>C, S = round(2^32 cos), round(2^32 sin); u = 2 x + 1 - W, v = 2 y + 1 - H; X = (C u + S v + ((w - 1) &lt;&lt; 32)) &gt;&gt; 1, Y = (C v - S u + ((h - 1) &lt;&lt; 32)) &gt;&gt; 1.
Bilinear: X8 = (X + 2^23) &gt;&gt; 24, pixel X8 &gt;&gt; 8, weight X8 &amp; 255, result (sum + 32768) &gt;&gt; 16 (float: sum / 65536). Nearest: (X + 2^31) &gt;&gt; 32.
Expand: W = (w |C| + h |S| + 2^32 - 1) &gt;&gt; 32, H alike.
Outside: the edge pixel is repeated; or colours are 0, with full alpha (black) or with none (transparent, which gives gray an alpha channel).</source>
   <translation>C, S = round(2^32 cos), round(2^32 sin)；u = 2 x + 1 - W，v = 2 y + 1 - H；X = (C u + S v + ((w - 1) &lt;&lt; 32)) &gt;&gt; 1，Y = (C v - S u + ((h - 1) &lt;&lt; 32)) &gt;&gt; 1。
双线性：X8 = (X + 2^23) &gt;&gt; 24，像素 X8 &gt;&gt; 8，权重 X8 &amp; 255，结果 (sum + 32768) &gt;&gt; 16（浮点：sum / 65536）。最近邻：(X + 2^31) &gt;&gt; 32。
扩展：W = (w |C| + h |S| + 2^32 - 1) &gt;&gt; 32，H 同理。
图像之外：重复边缘像素；或颜色为 0，alpha 全满（黑）或为零（透明，灰度图像因此多出 alpha 通道）。</translation>
  </message>
  <message>
   <source>C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, 1998</source>
   <translation>C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, 1998</translation>
  </message>
  <message>
   <source>CIE L*, in steps that the eye sees as equal</source>
   <translation>CIE L*，步长对人眼均匀</translation>
  </message>
  <message>
   <source>CMYK shown as RGB without a colour profile%1</source>
   <translation>CMYK 未用颜色配置文件，显示为 RGB%1</translation>
  </message>
  <message>
   <source>CPU</source>
   <translation>CPU</translation>
  </message>
  <message>
   <source>CPU against GPU on the whole screen, frames a second and speedup</source>
   <translation>全屏对比 CPU 与 GPU，每秒帧数和加速比</translation>
  </message>
  <message>
   <source>CPU and GPU side by side</source>
   <translation>CPU 与 GPU 并排</translation>
  </message>
  <message>
   <source>CPU clock %1 GHz</source>
   <translation>CPU 频率 %1 GHz</translation>
  </message>
  <message>
   <source>CPU clock %1 to %2 GHz (median %3)</source>
   <translation>CPU 频率 %1 至 %2 GHz（中位数 %3）</translation>
  </message>
  <message>
   <source>CPU clock not known</source>
   <translation>CPU 频率未知</translation>
  </message>
  <message>
   <source>CPU governor %1: the clock may lag behind the work</source>
   <translation>CPU 调速器 %1：频率可能滞后于工作</translation>
  </message>
  <message>
   <source>CPU on one thread or on all cores, against a GPU</source>
   <translation>CPU 单线程或全部核心，对比 GPU</translation>
  </message>
  <message>
   <source>CPU, %1 of %2 threads</source>
   <translation>CPU，%2 个线程中的 %1 个</translation>
  </message>
  <message>
   <source>CPU, %1 threads</source>
   <translation>CPU，%1 个线程</translation>
  </message>
  <message>
   <source>CPU, &amp;one thread</source>
   <translation>CPU，单线程(&amp;O)</translation>
  </message>
  <message>
   <source>CPU, 1 thread</source>
   <translation>CPU，1 个线程</translation>
  </message>
  <message>
   <source>CPU, a&amp;ll cores</source>
   <translation>CPU，全部核心(&amp;L)</translation>
  </message>
  <message>
   <source>CPU, all cores</source>
   <translation>CPU，全部核心</translation>
  </message>
  <message>
   <source>CPU, one thread</source>
   <translation>CPU，单线程</translation>
  </message>
  <message>
   <source>CPU: bands in parallel, edges that leave a band are handed to the next one until none is left. GPU: candidates that touch are joined to sets, and a set is kept if one of it is strong</source>
   <translation>CPU：分带并行，跨出本带的边缘交给下一带，直到没有剩余。GPU：相接的候选并为集合，集合中有一个为强则整体保留</translation>
  </message>
  <message>
   <source>CPU: each pair of pixels is compared once for both, and patch sums slide down the rows, so that work grows with the search window, hardly with the patch. GPU: everything between input and output stays on the multiprocessor; gray with patch radius 1 to 3 is the fastest</source>
   <translation>CPU：每对像素只比较一次、两者共用，块的和逐行下滑，工作量随搜索窗口增长，几乎不随块增长。GPU：输入与输出之间的一切都留在多处理器上；块半径 1 到 3 的灰度最快</translation>
  </message>
  <message>
   <source>CPU: runs of pixels are found and joined band by band, then bands are joined at their seams. GPU: pixels are joined to sets by atomic operations, then the first pixels of the sets are numbered by a prefix sum</source>
   <translation>CPU：逐带查找并合并像素游程，再在接缝处合并各带。GPU：用原子操作把像素并为集合，再用前缀和给各集合的首个像素编号</translation>
  </message>
  <message>
   <source>CPU: that were offered, and how many did any of the work</source>
   <translation>CPU：提供了多少线程，以及其中多少真正工作</translation>
  </message>
  <message>
   <source>CPU: the whole operation; GPU: its kernels</source>
   <translation>CPU：整个运算；GPU：其内核</translation>
  </message>
  <message>
   <source>CSV (*.csv)</source>
   <translation>CSV (*.csv)</translation>
  </message>
  <message>
   <source>CSV …</source>
   <translation>CSV …</translation>
  </message>
  <message>
   <source>CUDA: %1 (%2) in %3 at %4:%5</source>
   <translation>CUDA：“%1”（%2），调用 %3，位于 %4:%5</translation>
  </message>
  <message>
   <source>Cache</source>
   <translation>缓存</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>取消</translation>
  </message>
  <message>
   <source>Cancelled.</source>
   <translation>已取消。</translation>
  </message>
  <message>
   <source>Cancelled: %1 of %2 results, not all with all rounds.</source>
   <translation>已取消：%2 个结果中的 %1 个，并非都完成全部轮次。</translation>
  </message>
  <message>
   <source>Cancelling…</source>
   <translation>正在取消…</translation>
  </message>
  <message>
   <source>Canny edges</source>
   <translation>Canny 边缘</translation>
  </message>
  <message>
   <source>Canvas</source>
   <translation>画布</translation>
  </message>
  <message>
   <source>Card</source>
   <translation>卡片</translation>
  </message>
  <message>
   <source>Cb %1, Cr %2, pixels: %3</source>
   <translation>Cb %1，Cr %2，像素：%3</translation>
  </message>
  <message>
   <source>Cells look as the result will; off: as this step leaves the image</source>
   <translation>单元格显示最终结果的样子；关闭：显示此步骤之后的图像</translation>
  </message>
  <message>
   <source>Centroid X</source>
   <translation>质心 X</translation>
  </message>
  <message>
   <source>Centroid Y</source>
   <translation>质心 Y</translation>
  </message>
  <message>
   <source>Chains for jobs that people know: replace the steps, or append to them</source>
   <translation>用于常见任务的处理链：替换现有步骤，或追加在其后</translation>
  </message>
  <message>
   <source>Change</source>
   <translation>变化</translation>
  </message>
  <message>
   <source>Change %1 of %2</source>
   <translation>更改 %2 的 %1</translation>
  </message>
  <message>
   <source>Change downwards, halved: brighter than middle gray where it rises</source>
   <translation>向下的变化，减半：上升处比中灰亮</translation>
  </message>
  <message>
   <source>Change the second input of %1</source>
   <translation>更改 %1 的第二输入</translation>
  </message>
  <message>
   <source>Change the variant of %1</source>
   <translation>更改 %1 的变体</translation>
  </message>
  <message>
   <source>Change to the right, halved: brighter than middle gray where it rises</source>
   <translation>向右的变化，减半：上升处比中灰亮</translation>
  </message>
  <message>
   <source>Changes no sample. Drag, or Alt and arrow keys, with Shift white</source>
   <translation>不改变样本。拖动，或用 Alt 加方向键，加 Shift 为白点</translation>
  </message>
  <message>
   <source>Channel</source>
   <translation>通道</translation>
  </message>
  <message>
   <source>Channel that is shown</source>
   <translation>显示的通道</translation>
  </message>
  <message>
   <source>Channels</source>
   <translation>通道</translation>
  </message>
  <message>
   <source>Charts and tables</source>
   <translation>图表和表格</translation>
  </message>
  <message>
   <source>Choices</source>
   <translation>选项</translation>
  </message>
  <message>
   <source>Choose a command, then press its new key.</source>
   <translation>选择命令，然后按下新快捷键。</translation>
  </message>
  <message>
   <source>Choose a size, or open an image.</source>
   <translation>请选择一个尺寸，或打开图像。</translation>
  </message>
  <message>
   <source>Choose a warm or a cold cache.</source>
   <translation>请选择热缓存或冷缓存。</translation>
  </message>
  <message>
   <source>Choose an experiment from the Demo menu</source>
   <translation>请从“演示”菜单选择实验</translation>
  </message>
  <message>
   <source>Choose an operation.</source>
   <translation>请选择运算。</translation>
  </message>
  <message>
   <source>Choose two runs of the same benchmark: &quot;Run again&quot; below the list of results repeats one of this machine.</source>
   <translation>请选择同一基准测试的两次运行：结果列表下方的“重新运行”可重复本机的一次运行。</translation>
  </message>
  <message>
   <source>Choose what to time and press Start, or drop result files here.</source>
   <translation>选择要测量的内容并按“开始”，或将结果文件拖到此处。</translation>
  </message>
  <message>
   <source>Choose where to run.</source>
   <translation>请选择运行的位置。</translation>
  </message>
  <message>
   <source>Chooses an image file</source>
   <translation>选择图像文件</translation>
  </message>
  <message>
   <source>Cividis</source>
   <translation>Cividis</translation>
  </message>
  <message>
   <source>Classic</source>
   <translation>经典</translation>
  </message>
  <message>
   <source>Clear log</source>
   <translation>清空日志</translation>
  </message>
  <message>
   <source>Clear pins</source>
   <translation>清除固定像素</translation>
  </message>
  <message>
   <source>Click</source>
   <translation>单击</translation>
  </message>
  <message>
   <source>Click a picture to take its value.</source>
   <translation>单击一幅图片以采用其值。</translation>
  </message>
  <message>
   <source>Click the image to pin a pixel here.</source>
   <translation>在图像上单击以固定像素。</translation>
  </message>
  <message>
   <source>Click, Insert; right click, Delete</source>
   <translation>单击、Insert；右键单击、Delete</translation>
  </message>
  <message>
   <source>Click, drag</source>
   <translation>单击、拖动</translation>
  </message>
  <message>
   <source>Click, or Return</source>
   <translation>单击或回车</translation>
  </message>
  <message>
   <source>Click, with the table of objects open</source>
   <translation>单击（对象表格打开时）</translation>
  </message>
  <message>
   <source>Click: a new point. Drag: move it. Drag it out, Delete or right click: remove it.
Tab: next point. Arrow keys: move it, with Shift ten steps. Insert: a new one.</source>
   <translation>单击：新点。拖动：移动。拖出、Delete 或右键单击：移除。
Tab：下一点。方向键：移动，加 Shift 为十步。Insert：新点。</translation>
  </message>
  <message>
   <source>Clip limit</source>
   <translation>对比度限制</translation>
  </message>
  <message>
   <source>Clockwise</source>
   <translation>顺时针</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>闭运算</translation>
  </message>
  <message>
   <source>Close %1</source>
   <translation>关闭 %1</translation>
  </message>
  <message>
   <source>Close second image</source>
   <translation>关闭第二图像</translation>
  </message>
  <message>
   <source>Co&amp;mmand</source>
   <translation>命令(&amp;M)</translation>
  </message>
  <message>
   <source>Coarser detail than this is left out; 1.6 times the small one is near the Laplacian of a Gaussian</source>
   <translation>比这更粗的细节被略去；取小 σ 的 1.6 倍时接近高斯拉普拉斯</translation>
  </message>
  <message>
   <source>Cold</source>
   <translation>冷</translation>
  </message>
  <message>
   <source>Cold cache</source>
   <translation>冷缓存</translation>
  </message>
  <message>
   <source>Colour</source>
   <translation>颜色</translation>
  </message>
  <message>
   <source>Colour to gray</source>
   <translation>彩色转灰度</translation>
  </message>
  <message>
   <source>Colours &amp;as the image's profile means them</source>
   <translation>按图像配置文件显示颜色(&amp;A)</translation>
  </message>
  <message>
   <source>Colours are shown as stored: %1</source>
   <translation>颜色按存储的样子显示：%1</translation>
  </message>
  <message>
   <source>Colours stronger or weaker</source>
   <translation>使颜色更浓或更淡</translation>
  </message>
  <message>
   <source>Columns</source>
   <translation>列</translation>
  </message>
  <message>
   <source>Columns of tiles</source>
   <translation>分块列数</translation>
  </message>
  <message>
   <source>Columns that are kept; 0: all that follow</source>
   <translation>保留的列数；0：其后全部</translation>
  </message>
  <message>
   <source>Combine</source>
   <translation>合成</translation>
  </message>
  <message>
   <source>Comma-separated values (*.csv)</source>
   <translation>逗号分隔值 (*.csv)</translation>
  </message>
  <message>
   <source>Command</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>Commands</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>Commands and their keys</source>
   <translation>命令及其快捷键</translation>
  </message>
  <message>
   <source>Commit</source>
   <translation>提交</translation>
  </message>
  <message>
   <source>Comp&amp;are with…</source>
   <translation>比较对象(&amp;A)…</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>Compare with</source>
   <translation>比较对象</translation>
  </message>
  <message>
   <source>Compares the luma of each pixel with its mean over the square around it, so that uneven light does not matter: for text, drawings and cells. The radius must be larger than what is to be told apart. A higher offset lets more of even areas become white; a negative one makes them black. Alpha is dropped.</source>
   <translation>把每个像素的亮度与其周围方形的均值比较，因此不受光照不均影响：适用于文字、图纸和细胞。半径须大于要分辨的对象。偏移越大，均匀区域变白越多；为负则使其变黑。舍去 alpha。</translation>
  </message>
  <message>
   <source>Comparing %1 …</source>
   <translation>正在比较 %1 …</translation>
  </message>
  <message>
   <source>Comparison</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>Compiler</source>
   <translation>编译器</translation>
  </message>
  <message>
   <source>Components</source>
   <translation>连通区域列表</translation>
  </message>
  <message>
   <source>Components of fewer pixels are left out</source>
   <translation>像素更少的区域被略去</translation>
  </message>
  <message>
   <source>Components of non-zero BT.601 luma (of labels: of those that are not 0) as `connected_components` numbers them. Area: pixels. x, y, width, height: the smallest box. Centroid: exact sums of columns and rows over the area. Minimum, maximum, mean: of the luma of the image, or of the chain's source at the same pixels in its own format and levels, from exact sums; float: of finite values, summed in double along runs of a row, then run by run.
More than 200,000 components are refused.</source>
   <translation>BT.601 亮度非零（标签：不为 0）的连通区域，编号同 `connected_components`。面积：像素数。x、y、宽、高：最小外接框。质心：列与行的精确和除以面积。最小值、最大值、均值：取图像的亮度，或步骤链原图在相同像素处的亮度（按其自身的格式和级别），由精确和得出；浮点：取有限值，用双精度沿行内游程求和，再逐游程相加。
超过 200,000 个区域会被拒绝。</translation>
  </message>
  <message>
   <source>Compute &gt; Memory budget… sets another</source>
   <translation>用“计算 &gt; 内存预算…”另行设置</translation>
  </message>
  <message>
   <source>Compute on</source>
   <translation>计算设备</translation>
  </message>
  <message>
   <source>Computed on the CPU: %1</source>
   <translation>在 CPU 上计算：%1</translation>
  </message>
  <message>
   <source>Computes on %1 because that was chosen. It stays so, also when the program starts again, until Automatic is chosen here.</source>
   <translation>按选择在 %1 上计算。在此处选择“自动”之前一直如此，重新启动程序后也一样。</translation>
  </message>
  <message>
   <source>Computes on %1, chosen automatically. Click for another.</source>
   <translation>在 %1 上计算，自动选择。单击可另选。</translation>
  </message>
  <message>
   <source>Computes:</source>
   <translation>计算：</translation>
  </message>
  <message>
   <source>Computing</source>
   <translation>正在计算</translation>
  </message>
  <message>
   <source>Computing both results again: %1</source>
   <translation>正在重新计算两个结果：%1</translation>
  </message>
  <message>
   <source>Conditions</source>
   <translation>环境</translation>
  </message>
  <message>
   <source>Conditions around the run are not known.</source>
   <translation>运行前后的条件未知。</translation>
  </message>
  <message>
   <source>Conditions, doubts, command, program and machine of the selected results</source>
   <translation>所选结果的环境、疑点、命令、程序和机器</translation>
  </message>
  <message>
   <source>Connected components</source>
   <translation>连通区域</translation>
  </message>
  <message>
   <source>Connectivity</source>
   <translation>连通性</translation>
  </message>
  <message>
   <source>Contours as black lines on white, without specks. For fewer of them raise the sigma</source>
   <translation>白底黑线的轮廓，没有杂点。要减少轮廓，请加大 σ</translation>
  </message>
  <message>
   <source>Controls of the selected step</source>
   <translation>所选步骤的控件</translation>
  </message>
  <message>
   <source>Conversion of second inputs: %1</source>
   <translation>第二输入的转换：%1</translation>
  </message>
  <message>
   <source>Convolve</source>
   <translation>卷积</translation>
  </message>
  <message>
   <source>Cop&amp;y table</source>
   <translation>复制表格(&amp;Y)</translation>
  </message>
  <message>
   <source>Copied as a command of warpscope-cli.</source>
   <translation>已复制为 warpscope-cli 命令。</translation>
  </message>
  <message>
   <source>Copies of the input in turn</source>
   <translation>依次使用输入的副本</translation>
  </message>
  <message>
   <source>Copies of the input in turn, together larger than the cache</source>
   <translation>依次使用输入的副本，合计大于缓存</translation>
  </message>
  <message>
   <source>Copies the comparison as comma-separated values</source>
   <translation>将比较复制为逗号分隔值</translation>
  </message>
  <message>
   <source>Copies the comparison as text</source>
   <translation>将比较复制为文本</translation>
  </message>
  <message>
   <source>Copies the selected rows, or all, as text with tabs</source>
   <translation>以制表符分隔的文本复制选中的行；未选中时复制全部</translation>
  </message>
  <message>
   <source>Copies the values along the line as CSV</source>
   <translation>将沿线的值复制为 CSV</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>复制</translation>
  </message>
  <message>
   <source>Copy and save</source>
   <translation>复制与保存</translation>
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation>复制为 CSV</translation>
  </message>
  <message>
   <source>Copy as JSON</source>
   <translation>复制为 JSON</translation>
  </message>
  <message>
   <source>Copy as Markdown</source>
   <translation>复制为 Markdown</translation>
  </message>
  <message>
   <source>Copy as command &amp;line</source>
   <translation>复制为命令行(&amp;L)</translation>
  </message>
  <message>
   <source>Copy as text</source>
   <translation>复制为文本</translation>
  </message>
  <message>
   <source>Copy counts</source>
   <translation>复制计数</translation>
  </message>
  <message>
   <source>Copy details</source>
   <translation>复制详情</translation>
  </message>
  <message>
   <source>Copy log</source>
   <translation>复制日志</translation>
  </message>
  <message>
   <source>Copy picture</source>
   <translation>复制图片</translation>
  </message>
  <message>
   <source>Copy region</source>
   <translation>复制区域</translation>
  </message>
  <message>
   <source>Copy rows</source>
   <translation>复制行</translation>
  </message>
  <message>
   <source>Copy table</source>
   <translation>复制表格</translation>
  </message>
  <message>
   <source>Copy the command</source>
   <translation>复制命令</translation>
  </message>
  <message>
   <source>Copy the command (of a point)</source>
   <translation>复制命令（某点的）</translation>
  </message>
  <message>
   <source>Copy the command of the left side</source>
   <translation>复制左侧的命令</translation>
  </message>
  <message>
   <source>Copy the command of the right side</source>
   <translation>复制右侧的命令</translation>
  </message>
  <message>
   <source>Copy timings</source>
   <translation>复制用时</translation>
  </message>
  <message>
   <source>Could not compare with %1. %2</source>
   <translation>无法与 %1 比较。%2</translation>
  </message>
  <message>
   <source>Could not compare. %1</source>
   <translation>无法比较。%1</translation>
  </message>
  <message>
   <source>Could not copy: not enough memory for the picture</source>
   <translation>无法复制：内存不足以容纳图片</translation>
  </message>
  <message>
   <source>Could not open as second image. %1</source>
   <translation>无法作为第二图像打开。%1</translation>
  </message>
  <message>
   <source>Could not open the pipeline. %1</source>
   <translation>无法打开处理链。%1</translation>
  </message>
  <message>
   <source>Could not open the session %1: %2</source>
   <translation>无法打开会话 %1：%2</translation>
  </message>
  <message>
   <source>Could not open. %1</source>
   <translation>无法打开。%1</translation>
  </message>
  <message>
   <source>Could not paste. %1</source>
   <translation>无法粘贴。%1</translation>
  </message>
  <message>
   <source>Could not save or copy. %1</source>
   <translation>无法保存或复制。%1</translation>
  </message>
  <message>
   <source>Could not save the profile. %1</source>
   <translation>无法保存剖面。%1</translation>
  </message>
  <message>
   <source>Could not save. %1</source>
   <translation>无法保存。%1</translation>
  </message>
  <message>
   <source>Count cells</source>
   <translation>细胞计数</translation>
  </message>
  <message>
   <source>Counting…</source>
   <translation>正在计数…</translation>
  </message>
  <message>
   <source>Counts as `histogram` does; the figures follow from counts</source>
   <translation>计数同 `histogram`；各数据由计数得出</translation>
  </message>
  <message>
   <source>Counts every tile, then looks each pixel up in four tables. On the CPU four look-ups of 8 bits are byte permutes of AVX-512; without these the tables are put together row by row, so that two look-ups do</source>
   <translation>对每块计数，再为每个像素查四张表。CPU 上 8 位的四次查表用 AVX-512 的字节置换完成；没有这些指令时逐行合并表，只需查两次</translation>
  </message>
  <message>
   <source>Counts how often each level occurs</source>
   <translation>统计每个级别出现的次数</translation>
  </message>
  <message>
   <source>Counts luma, red, green and blue. Shows exposure, clipped shadows and highlights, colour casts, and gaps left by earlier steps. Fully transparent pixels count like any other.</source>
   <translation>统计亮度、红、绿、蓝。可见曝光、阴影和高光的截断、偏色，以及先前步骤留下的空隙。完全透明的像素同样计入。</translation>
  </message>
  <message>
   <source>Counts the image unless the level is fixed, then compares: reads each pixel twice</source>
   <translation>除非级别固定，先对图像计数，再比较：每个像素读两次</translation>
  </message>
  <message>
   <source>Counts the image, makes the table, applies it: reads each pixel twice</source>
   <translation>统计图像、制表、应用：每个像素读两次</translation>
  </message>
  <message>
   <source>Cr over Cb (BT.601): which colours there are, with those of a test at 75%, and the line of skin</source>
   <translation>Cr 对 Cb (BT.601)：图像中有哪些颜色，并标出 75% 测试图的颜色和肤色线</translation>
  </message>
  <message>
   <source>Crop</source>
   <translation>裁剪</translation>
  </message>
  <message>
   <source>Crop in the image</source>
   <translation>在图像中裁剪</translation>
  </message>
  <message>
   <source>Crop to r&amp;egion</source>
   <translation>裁剪到区域(&amp;E)</translation>
  </message>
  <message>
   <source>Crop to region</source>
   <translation>裁剪到区域</translation>
  </message>
  <message>
   <source>Crop to the region of the image (Shift and drag makes one)</source>
   <translation>裁剪到图像的区域（Shift 加拖动可选出）</translation>
  </message>
  <message>
   <source>Cross</source>
   <translation>十字</translation>
  </message>
  <message>
   <source>Ctrl and Shift, drag or wheel</source>
   <translation>Ctrl 加 Shift，拖动或滚轮</translation>
  </message>
  <message>
   <source>Ctrl and click, or Ctrl+Return</source>
   <translation>Ctrl 加单击，或 Ctrl+Return</translation>
  </message>
  <message>
   <source>Ctrl+C, Ctrl+S</source>
   <translation>Ctrl+C、Ctrl+S</translation>
  </message>
  <message>
   <source>Cumulative curve</source>
   <translation>累积曲线</translation>
  </message>
  <message>
   <source>Cumulative curve: share of pixels up to each value</source>
   <translation>累积曲线：不大于各值的像素所占比例</translation>
  </message>
  <message>
   <source>Cursor from pi&amp;xel to pixel</source>
   <translation>逐像素光标(&amp;X)</translation>
  </message>
  <message>
   <source>Curves</source>
   <translation>曲线</translation>
  </message>
  <message>
   <source>Cyclic</source>
   <translation>循环</translation>
  </message>
  <message>
   <source>D. Bradley and G. Roth, Adaptive thresholding using the integral image, 2007</source>
   <translation>D. Bradley and G. Roth, Adaptive thresholding using the integral image, 2007</translation>
  </message>
  <message>
   <source>D. Marr, E. Hildreth, Theory of edge detection, 1980</source>
   <translation>D. Marr, E. Hildreth, Theory of edge detection, 1980</translation>
  </message>
  <message>
   <source>DEPTH is missing or 0</source>
   <translation>DEPTH 缺失或为 0</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>暗</translation>
  </message>
  <message>
   <source>Dark 16-bit and float images &amp;by percentiles</source>
   <translation>暗的 16 位和浮点图像按百分位显示(&amp;B)</translation>
  </message>
  <message>
   <source>Dark violet over green to yellow, evenly brighter</source>
   <translation>由深紫经绿到黄，亮度均匀上升</translation>
  </message>
  <message>
   <source>Darkens: white changes nothing, black gives black</source>
   <translation>压暗：白不改变，黑得黑</translation>
  </message>
  <message>
   <source>Defaults</source>
   <translation>默认值</translation>
  </message>
  <message>
   <source>Delete preset</source>
   <translation>删除预设</translation>
  </message>
  <message>
   <source>Demo</source>
   <translation>演示</translation>
  </message>
  <message>
   <source>Demo: %1</source>
   <translation>演示：%1</translation>
  </message>
  <message>
   <source>Despeckle</source>
   <translation>去斑</translation>
  </message>
  <message>
   <source>Deta&amp;ils…</source>
   <translation>详情(&amp;I)…</translation>
  </message>
  <message>
   <source>Detail between two sizes: a weak blur minus a strong one</source>
   <translation>两种尺度之间的细节：弱模糊减去强模糊</translation>
  </message>
  <message>
   <source>Details of results – Warpscope</source>
   <translation>结果详情 – Warpscope</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>Device: %1</source>
   <translation>设备：%1</translation>
  </message>
  <message>
   <source>Differe&amp;nce</source>
   <translation>差值(&amp;N)</translation>
  </message>
  <message>
   <source>Difference</source>
   <translation>差值</translation>
  </message>
  <message>
   <source>Difference cannot be shown yet: there is no result.</source>
   <translation>尚无法显示差值：还没有结果。</translation>
  </message>
  <message>
   <source>Difference cannot be shown: source and result are not the same pixels.
The result %1.</source>
   <translation>无法显示差值：原图与结果的像素并不对应。
结果%1。</translation>
  </message>
  <message>
   <source>Difference cannot be shown: the samples cannot be subtracted.
%1: %2
%3: %4</source>
   <translation>无法显示差值：样本不能相减。
%1：%2
%3：%4</translation>
  </message>
  <message>
   <source>Difference of Gaussians</source>
   <translation>高斯差分</translation>
  </message>
  <message>
   <source>Differences up to this are left alone</source>
   <translation>不超过此值的差异不予处理</translation>
  </message>
  <message>
   <source>Dilate</source>
   <translation>膨胀</translation>
  </message>
  <message>
   <source>Dilate, then erode: small dark things go</source>
   <translation>先膨胀后腐蚀：小的暗物消失</translation>
  </message>
  <message>
   <source>Dilated minus eroded: edges</source>
   <translation>膨胀减腐蚀：边缘</translation>
  </message>
  <message>
   <source>Direct</source>
   <translation>直接</translation>
  </message>
  <message>
   <source>Direct, two-dimensional</source>
   <translation>直接，二维</translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>丢弃</translation>
  </message>
  <message>
   <source>Discrete correlation; the kernels are those of image editors since the 1990s</source>
   <translation>离散相关；这些核自 1990 年代起见于各图像编辑软件</translation>
  </message>
  <message>
   <source>Disk</source>
   <translation>圆盘</translation>
  </message>
  <message>
   <source>Dismiss</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Dismiss message</source>
   <translation>关闭消息</translation>
  </message>
  <message>
   <source>Distance</source>
   <translation>距离</translation>
  </message>
  <message>
   <source>Distance of each non-zero pixel to the nearest zero</source>
   <translation>每个非零像素到最近零像素的距离</translation>
  </message>
  <message>
   <source>Distance transform</source>
   <translation>距离变换</translation>
  </message>
  <message>
   <source>Distances within columns first; then the nearest of all columns of a row. CPU: the lower envelope of parabolas, which no division is needed for. GPU: the nearest column of every 32nd pixel bounds those of the pixels between</source>
   <translation>先求列内距离；再求一行中各列的最近者。CPU：抛物线的下包络，无需除法。GPU：每隔 32 个像素的最近列限定其间各像素的最近列</translation>
  </message>
  <message>
   <source>Divisor</source>
   <translation>除数</translation>
  </message>
  <message>
   <source>Do not show hints</source>
   <translation>不再显示提示</translation>
  </message>
  <message>
   <source>Document scan</source>
   <translation>文档扫描</translation>
  </message>
  <message>
   <source>Done: %1 results.</source>
   <translation>完成：%1 个结果。</translation>
  </message>
  <message>
   <source>Double click</source>
   <translation>双击</translation>
  </message>
  <message>
   <source>Double click on the label</source>
   <translation>双击标签</translation>
  </message>
  <message>
   <source>Double click, or Backspace</source>
   <translation>双击或 Backspace</translation>
  </message>
  <message>
   <source>Doubtful:</source>
   <translation>可疑：</translation>
  </message>
  <message>
   <source>Download from the GPU: %1</source>
   <translation>从 GPU 下载：%1</translation>
  </message>
  <message>
   <source>Download, ms</source>
   <translation>下载，ms</translation>
  </message>
  <message>
   <source>Drag</source>
   <translation>拖动</translation>
  </message>
  <message>
   <source>Drag a handle, or Alt and arrows</source>
   <translation>拖动手柄，或 Alt 加方向键</translation>
  </message>
  <message>
   <source>Drag a round handle or its line, or Tab, then arrows</source>
   <translation>拖动圆形手柄或其竖线，或按 Tab 后用方向键</translation>
  </message>
  <message>
   <source>Drag draws the outline of the region; Esc leaves it.</source>
   <translation>拖动以绘制区域轮廓；Esc 退出。</translation>
  </message>
  <message>
   <source>Drag out, right click, Delete</source>
   <translation>拖出、右键单击、Delete</translation>
  </message>
  <message>
   <source>Drag, or Shift and arrows</source>
   <translation>拖动，或 Shift 加方向键</translation>
  </message>
  <message>
   <source>Drag, or Space and drag</source>
   <translation>拖动，或空格加拖动</translation>
  </message>
  <message>
   <source>Drag, or arrow keys, with Shift by ten. The handles at the top, black and white of the view, are others</source>
   <translation>拖动，或用方向键，加 Shift 每次十级。顶部的手柄是视图的黑点和白点，与此不同</translation>
  </message>
  <message>
   <source>Drag, or arrow keys; Delete or a right click removes it, Insert or a click beside it makes another one</source>
   <translation>拖动，或用方向键；Delete 或右键单击删除该点，Insert 或在旁边单击新增一点</translation>
  </message>
  <message>
   <source>Drop a file at the lower edge</source>
   <translation>将文件拖到下边缘</translation>
  </message>
  <message>
   <source>Drop an image here, or open the sample scene</source>
   <translation>将图像拖到此处，或打开示例场景</translation>
  </message>
  <message>
   <source>Drop here to open as second image</source>
   <translation>拖到此处作为第二图像打开</translation>
  </message>
  <message>
   <source>Dropped image</source>
   <translation>拖入的图像</translation>
  </message>
  <message>
   <source>Dupl&amp;icate step</source>
   <translation>复制步骤(&amp;I)</translation>
  </message>
  <message>
   <source>Duplicate</source>
   <translation>复制一份</translation>
  </message>
  <message>
   <source>Duplicate %1</source>
   <translation>复制一份 %1</translation>
  </message>
  <message>
   <source>E: the minimum, D: the maximum over all pixels of the image under the shape, channel by channel; what lies outside the image does not count.
erode E, dilate D, open D(E), close E(D), gradient D - E, top hat v - D(E), black hat E(D) - v.
square: |dx| &lt;= r and |dy| &lt;= r; disk: dx^2 + dy^2 &lt;= r^2; cross: |dx| &lt;= r and dy = 0, or |dy| &lt;= r and dx = 0.
Float: -0 is below 0, NaN above everything.</source>
   <translation>E：图像在形状覆盖的全部像素上的最小值，D：最大值，逐通道；图像之外不计。
腐蚀 E，膨胀 D，开运算 D(E)，闭运算 E(D)，梯度 D - E，顶帽 v - D(E)，黑帽 E(D) - v。
方形：|dx| &lt;= r 且 |dy| &lt;= r；圆盘：dx^2 + dy^2 &lt;= r^2；十字：|dx| &lt;= r 且 dy = 0，或 |dy| &lt;= r 且 dx = 0。
浮点：-0 小于 0，NaN 大于一切。</translation>
  </message>
  <message>
   <source>ENDHDR is not alone on its line</source>
   <translation>ENDHDR 未独占一行</translation>
  </message>
  <message>
   <source>Each channel</source>
   <translation>逐通道</translation>
  </message>
  <message>
   <source>Each input sample read once and each output sample written once, over the median; and in per cent of what the same part of the machine reaches in copying its memory, or &quot;cache&quot; where it is faster than that: the data never left it</source>
   <translation>每个输入样本读一次、每个输出样本写一次，除以中位数；并以同一部件复制内存所达速度的百分比表示，若更快则为“缓存”：数据从未离开缓存</translation>
  </message>
  <message>
   <source>Each level becomes what a curve through the given points says, the same one for red, green and blue. Raised in the middle it brightens, steeper it adds contrast. Levels left of the first point and right of the last one get the value of that point. Alpha passes unchanged.</source>
   <translation>每个级别变为过给定各点的曲线所示的值，红、绿、蓝相同。中部抬高则提亮，变陡则增加对比度。首点左侧和末点右侧的级别取该点的值。Alpha 不变。</translation>
  </message>
  <message>
   <source>Each pixel becomes a weighted sum of the pixels around it, with the weights of a kernel of your own or of a known one: emboss, sharpen, outline, motion. The kernel is laid over the image as it is written, not turned round. The sum is divided, so that brightness stays where the divisor is the sum of the weights; kernels that sum to 0 show differences, for which an offset of 128 shows both signs. Alpha passes unchanged.</source>
   <translation>每个像素变为周围像素的加权和，权重取自自定的或常见的核：浮雕、锐化、轮廓、运动。核按书写的样子覆盖在图像上，不翻转。和再除以除数，除数等于权重之和时亮度不变；和为 0 的核显示差异，偏移取 128 可显示正负两号。Alpha 不变。</translation>
  </message>
  <message>
   <source>Each row was sampled in %1 rounds, which took turns with those of all other rows, so that what changes on the machine meets all of them. Its figure is the median of the medians of its rounds, with a 95% interval from how far these lie apart. A row whose interval is wider than %2% of its median is marked noisy, and its speedups are given as ranges. The interval covers the scatter between the rounds of this run: a machine that is busier, hotter or clocked otherwise another time is not in it.</source>
   <translation>每行采样 %1 轮，与其他所有行的各轮轮流进行，使机器上的变化对所有行一视同仁。其数字为各轮中位数的中位数，95% 区间由各轮的离散程度得出。区间宽于中位数 %2% 的行标为波动大，其加速比以范围给出。区间只涵盖本次运行各轮之间的离散：换个时间，机器更忙、更热或频率不同，不在其中。</translation>
  </message>
  <message>
   <source>Each side is timed alone, in turns, on the same moving picture. Medians of the last second of its own time, without warm-up.</source>
   <translation>两侧轮流单独测时，使用同一活动画面。取各自最近一秒的中位数，不含预热。</translation>
  </message>
  <message>
   <source>Each thread that works is pinned to a core of its own</source>
   <translation>每个工作线程绑定到各自的核心</translation>
  </message>
  <message>
   <source>Each with its own size, noise and parameters</source>
   <translation>各自保持自身的尺寸、噪声和参数</translation>
  </message>
  <message>
   <source>Edge</source>
   <translation>边缘像素</translation>
  </message>
  <message>
   <source>Edges</source>
   <translation>边缘</translation>
  </message>
  <message>
   <source>Edges are followed while they are steeper than this; |gx| + |gy| of a Sobel kernel, which is four times the step of a straight edge</source>
   <translation>只要陡于此值就继续跟踪边缘；以 Sobel 核的 |gx| + |gy| 计，为直边阶跃的四倍</translation>
  </message>
  <message>
   <source>Edges as thin white lines</source>
   <translation>把边缘画成细白线</translation>
  </message>
  <message>
   <source>Edges for print</source>
   <translation>印刷用边缘</translation>
  </message>
  <message>
   <source>Edit s&amp;hortcuts…</source>
   <translation>编辑快捷键(&amp;H)…</translation>
  </message>
  <message>
   <source>Emboss</source>
   <translation>浮雕</translation>
  </message>
  <message>
   <source>Empty: the scene that the program makes</source>
   <translation>空：程序生成的场景</translation>
  </message>
  <message>
   <source>End to end</source>
   <translation>端到端</translation>
  </message>
  <message>
   <source>End to end, ms</source>
   <translation>端到端，ms</translation>
  </message>
  <message>
   <source>End to end: %1 to %2 ms. Transfers vary more than kernels and are marked by themselves.</source>
   <translation>端到端：%1 至 %2 ms。传输的波动比内核大，单独标记。</translation>
  </message>
  <message>
   <source>Ended by signal %1</source>
   <translation>被信号 %1 结束</translation>
  </message>
  <message>
   <source>Ends the run and keeps what is complete (Ctrl+.)</source>
   <translation>结束运行并保留已完成的部分 (Ctrl+.)</translation>
  </message>
  <message>
   <source>Energy of the GPU</source>
   <translation>GPU 的能耗</translation>
  </message>
  <message>
   <source>Entries</source>
   <translation>元素</translation>
  </message>
  <message>
   <source>Entropy: bits that a sample is worth without its neighbours</source>
   <translation>熵：不考虑相邻样本时每个样本的信息量（比特）</translation>
  </message>
  <message>
   <source>Epsilon</source>
   <translation>Epsilon</translation>
  </message>
  <message>
   <source>Equal ratios between the values, not equal steps; from above 0</source>
   <translation>各值等比递增而非等差；须大于 0</translation>
  </message>
  <message>
   <source>Equalize histogram</source>
   <translation>直方图均衡化</translation>
  </message>
  <message>
   <source>Equalizes the histogram of each tile and goes over smoothly from tile to tile, so that detail comes out in dark and bright parts alike: X-rays, microscopy, haze. The clip limit keeps noise of even areas from growing; higher gives more contrast, 0 limits nothing. Alpha passes unchanged.</source>
   <translation>对每块均衡直方图，块间平滑过渡，使亮处和暗处的细节同样显现：适用于 X 光片、显微图像、雾景。对比度限制抑制均匀区域的噪声增长；越高对比度越强，0 表示不限制。Alpha 不变。</translation>
  </message>
  <message>
   <source>Equalizes tile by tile, with limited contrast</source>
   <translation>逐块均衡，限制对比度</translation>
  </message>
  <message>
   <source>Erode</source>
   <translation>腐蚀</translation>
  </message>
  <message>
   <source>Erode and dilate replace each pixel by the smallest or largest value under a shape that is laid over it. One after the other they open (take bright detail that is smaller than the shape away) or close (dark detail); the hats show what that took, the gradient shows edges. Also for images of black and white only. Alpha passes unchanged.</source>
   <translation>腐蚀和膨胀把每个像素替换为形状覆盖范围内的最小值或最大值。先后组合则为开运算（去除小于形状的亮细节）或闭运算（暗细节）；顶帽和黑帽显示被去除的部分，梯度显示边缘。也可用于只有黑白的图像。Alpha 不变。</translation>
  </message>
  <message>
   <source>Erode, then dilate: small bright things go</source>
   <translation>先腐蚀后膨胀：小的亮物消失</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Every area of non-zero pixels that touch each other gets a number of its own, from 1 on; what is zero stays 0. Mostly used after a threshold. Small areas, which often are noise, can be left out. False colour with the map 'labels' shows the numbers as colours; the analysis 'Components' lists their areas and places. While only a part of the image is computed, or a reduced copy of it, numbers are those of what is there.</source>
   <translation>每个由相接的非零像素组成的区域得到一个编号，从 1 起；零仍为 0。多用于阈值之后。小区域往往是噪声，可以略去。伪彩色的“标签”色图把编号显示为颜色；分析“连通区域列表”列出其面积和位置。只计算图像的一部分或其缩小副本时，编号按所含内容而定。</translation>
  </message>
  <message>
   <source>Every figure of the selected step</source>
   <translation>所选步骤的全部数据</translation>
  </message>
  <message>
   <source>Every non-zero pixel becomes its distance to the nearest pixel that is zero, zero pixels become 0: the middle of an object is where it is largest. Mostly used after a threshold. The squared distance is a whole number and exact; where the distance itself is wanted, the result is float. False colour shows either. While only a part of the image is computed, zero pixels outside it are not seen.</source>
   <translation>每个非零像素变为到最近零像素的距离，零像素为 0：最大处即对象的中央。多用于阈值之后。距离平方为整数，精确；需要距离本身时结果为浮点。两者均可用伪彩色显示。只计算图像的一部分时，看不到其外的零像素。</translation>
  </message>
  <message>
   <source>Every operation and variant, cold and warm, from 256 to 4K: minutes</source>
   <translation>全部运算和变体，冷和热，256 到 4K：数分钟</translation>
  </message>
  <message>
   <source>Every operation at three small sizes, well under a minute on most machines</source>
   <translation>全部运算，三个小尺寸，多数机器上远不到一分钟</translation>
  </message>
  <message>
   <source>Every output pixel sums its whole square of neighbours, row by row: size^2 multiplications a sample. Sizes up to 31. CPU: plain code, for comparison</source>
   <translation>每个输出像素逐行累加其整个方形邻域：每样本 size^2 次乘法。尺寸至 31。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>Every pixel adds to one array in global memory: pixels of one level wait for each other, so flat images are the slowest. 8 bits</source>
   <translation>每个像素累加到全局内存的同一数组：同级像素互相等待，因此平坦图像最慢。8 位</translation>
  </message>
  <message>
   <source>Every pixel becomes the sum of all pixels above it and to its left, itself included (summed-area table). With it the sum over any upright rectangle takes four look-ups, whatever its size. The sums are kept in 32 bits where white everywhere would fit, else in 64. Colour is summed as BT.601 luma; alpha is dropped.</source>
   <translation>每个像素变为其上方和左侧全部像素（含自身）之和（积分图）。有了它，任意正立矩形的和只需查四次，与大小无关。全白仍装得下时用 32 位，否则用 64 位。彩色按 BT.601 亮度求和；舍去 alpha。</translation>
  </message>
  <message>
   <source>Every pixel makes its own random words from its index: no state, so any number of threads and any crop give the same noise</source>
   <translation>每个像素由其序号生成自己的随机数：没有状态，因此任意线程数和任意裁剪都得到相同噪声</translation>
  </message>
  <message>
   <source>Every result with all its fields</source>
   <translation>每个结果及其全部字段</translation>
  </message>
  <message>
   <source>Every thread has a table of 8-bit counters for 256 x 256 pixels and adds it up at the end only: where a level occurs more than 255 times among them, its counter begins again at 0 and 256 pixels are lost. Right for small images, so a small test does not find it. 8 bits</source>
   <translation>每个线程为 256 x 256 个像素用一张 8 位计数表，最后才累加：若某级别超过 255 次，计数器回绕到 0，丢失 256 个像素。小图像上正确，因此小测试发现不了。8 位</translation>
  </message>
  <message>
   <source>Every thread has a table of 8-bit counters, added up in its block after 255 pixels: no atomics, but 32 KiB of shared memory for 128 threads. 8 bits</source>
   <translation>每个线程一张 8 位计数表，满 255 个像素后在块内累加：无原子操作，但 128 个线程需 32 KiB 共享内存。8 位</translation>
  </message>
  <message>
   <source>Everything against the fastest that the CPU was measured to do it with at that size, whatever its variant and threads: that one is the line 1×</source>
   <translation>一切都对比该尺寸下测得最快的 CPU，无论其变体和线程数：即 1× 线</translation>
  </message>
  <message>
   <source>Expand</source>
   <translation>扩展</translation>
  </message>
  <message>
   <source>Experiment</source>
   <translation>实验</translation>
  </message>
  <message>
   <source>Experiments of the source texts</source>
   <translation>来源文献的实验</translation>
  </message>
  <message>
   <source>Exposure</source>
   <translation>曝光</translation>
  </message>
  <message>
   <source>Exposure of the view, in stops</source>
   <translation>视图的曝光，单位为挡</translation>
  </message>
  <message>
   <source>Extract channel</source>
   <translation>提取通道</translation>
  </message>
  <message>
   <source>Extremes, mean, percentiles and entropy of each channel</source>
   <translation>各通道的极值、均值、百分位和熵</translation>
  </message>
  <message>
   <source>F, +, -</source>
   <translation>F、+、-</translation>
  </message>
  <message>
   <source>F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images with CUDA</source>
   <translation>F. Crow，Summed-area tables for texture mapping，1984；关于 CUDA 积分图的研究</translation>
  </message>
  <message>
   <source>F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images with CUDA; a study of non-local means with integral images on GPUs</source>
   <translation>F. Crow，Summed-area tables for texture mapping，1984；关于 CUDA 积分图的研究；关于 GPU 上基于积分图的非局部均值的研究</translation>
  </message>
  <message>
   <source>F11</source>
   <translation>F11</translation>
  </message>
  <message>
   <source>F11 lets this machine race: CPU, GPU or a recorded run</source>
   <translation>F11 让本机参加比赛：CPU、GPU 或录制的运行</translation>
  </message>
  <message>
   <source>F11 lets this machine race: one thread, all cores or a recorded run</source>
   <translation>F11 让本机参加比赛：单线程、全部核心或录制的运行</translation>
  </message>
  <message>
   <source>F2, or double click</source>
   <translation>F2 或双击</translation>
  </message>
  <message>
   <source>False colour</source>
   <translation>伪彩色</translation>
  </message>
  <message>
   <source>False colours</source>
   <translation>伪彩色</translation>
  </message>
  <message>
   <source>Faster than copying through memory: these warm data were served, in whole or in part, from the cache. Cold figures are without that help.</source>
   <translation>快于经内存的复制：这些热数据全部或部分来自缓存。冷数据没有这种帮助。</translation>
  </message>
  <message>
   <source>Faster than this machine copied its memory, cold though it was: its rate of copying was measured at a bad moment.</source>
   <translation>快于本机复制内存的速度，尽管是冷缓存：其复制速度是在不利的时刻测得的。</translation>
  </message>
  <message>
   <source>Fewer than two values between these are allowed.</source>
   <translation>两者之间允许的值不足两个。</translation>
  </message>
  <message>
   <source>Fewest bytes that must move</source>
   <translation>必须传送的最少字节</translation>
  </message>
  <message>
   <source>Fewest bytes that must move, over the median</source>
   <translation>必须传送的最少字节，除以中位数</translation>
  </message>
  <message>
   <source>Figures of two runs</source>
   <translation>两次运行的数据</translation>
  </message>
  <message>
   <source>Files are decoded</source>
   <translation>文件解码</translation>
  </message>
  <message>
   <source>Filter</source>
   <translation>滤波</translation>
  </message>
  <message>
   <source>Finds the areas that 'Connected components' numbers, in the same order, and lists for each its area, the box around it, its centre, and minimum, maximum and mean of the values in it. Behind a chain of steps (Objects in the window, analyze with --step or --pipeline) these are the values of the source, and called so: source minimum, maximum and mean. Where steps crop, turn or resize, the source goes through those steps first, and through no other. An image by itself has its own values. Columns and rows are counted from 0, from the corner of a region where there is one.</source>
   <translation>找出“连通区域”所编号的区域，次序相同，列出各区域的面积、外接框、中心，以及其中数值的最小值、最大值和均值。在一串步骤之后（窗口中的“对象”，带 --step 或 --pipeline 的 analyze），这些是原图的数值，并称为原图最小值、最大值和均值。步骤若裁剪、翻转、旋转或缩放，原图先只经过这些步骤。单独的图像取其自身的数值。列和行从 0 起计，有区域时从区域的角起计。</translation>
  </message>
  <message>
   <source>Finds where brightness changes most, thins it to lines one pixel wide, keeps those that are steeper than the high threshold and follows them as long as they stay above the low one. Where noise gives too many lines, blur first or raise both thresholds. Colour is seen by its luma; the result is black and white. While only a part of the image is computed, a line that is strong only outside it may be missing.</source>
   <translation>找出亮度变化最大处，细化为一像素宽的线，保留陡于高阈值的线，并在其高于低阈值时继续跟踪。噪声使线过多时，请先模糊或提高两个阈值。彩色按亮度处理；结果为黑白。只计算图像的一部分时，仅在该部分之外为强的线可能缺失。</translation>
  </message>
  <message>
   <source>Finer detail than this is left out</source>
   <translation>比这更细的细节被略去</translation>
  </message>
  <message>
   <source>Fire</source>
   <translation>火焰</translation>
  </message>
  <message>
   <source>First all rows, then all columns, one thread per line. Simple; every sum is written twice and read once more</source>
   <translation>先全部行，后全部列，每线一个线程。简单；每个和写两次、再读一次</translation>
  </message>
  <message>
   <source>First call, ms</source>
   <translation>首次调用，ms</translation>
  </message>
  <message>
   <source>First column that is kept</source>
   <translation>保留的首列</translation>
  </message>
  <message>
   <source>First row that is kept</source>
   <translation>保留的首行</translation>
  </message>
  <message>
   <source>First value</source>
   <translation>首值</translation>
  </message>
  <message>
   <source>Fit, zoom in, zoom out</source>
   <translation>适合窗口、放大、缩小</translation>
  </message>
  <message>
   <source>Fixed</source>
   <translation>固定</translation>
  </message>
  <message>
   <source>Fixed: keys of the image</source>
   <translation>固定：图像的按键</translation>
  </message>
  <message>
   <source>Flip left and right</source>
   <translation>左右翻转</translation>
  </message>
  <message>
   <source>Flip or rotate</source>
   <translation>翻转或旋转</translation>
  </message>
  <message>
   <source>Flip top and bottom</source>
   <translation>上下翻转</translation>
  </message>
  <message>
   <source>Float or dock %1</source>
   <translation>浮动或停靠 %1</translation>
  </message>
  <message>
   <source>For each search offset an integral image of the squared differences, summed in blocks whose sums are carried on, along rows and then columns; then four reads a patch: work does not depend on the patch; one image of 32-bit sums (64-bit for 16-bit samples) in memory. GPU: three launches an offset, where the text takes one for each step. Not for float. CPU: plain code, for comparison</source>
   <translation>对每个搜索偏移求平方差的积分图，分块求和并传递，先沿行后沿列；随后每块读四次：工作量与块大小无关；内存中一幅 32 位和图像（16 位样本用 64 位）。GPU：每个偏移三次启动，原文每步一次。不支持浮点。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>For every q in the (2 s + 1)^2 search window around p, p included:
D = mean over the (2 r + 1)^2 patch, and over R, G and B of a colour image, of the squared difference between the patches around p and q; w(q) = exp(-D / h^2).
Result = sum(w v) / sum(w), rounded half up.
Beyond the border the image is mirrored with the edge pixel repeated, again and again where the window is larger than the image.
16 bits: h times 257; all ways to compute it agree within 4 of 65,536 levels.
Float: h / 255, in float, not rounded to levels; all ways agree within 10^-4 of the largest magnitude.</source>
   <translation>对 p 周围 (2 s + 1)^2 搜索窗口内的每个 q（含 p）：
D = p 与 q 周围两块之差的平方在 (2 r + 1)^2 块上的均值，彩色图像还对 R、G、B 取均值；w(q) = exp(-D / h^2)。
结果 = sum(w v) / sum(w)，四舍五入。
边界之外镜像图像，边缘像素重复；窗口大于图像时反复镜像。
16 位：h 乘以 257；各种算法相差不超过 65,536 级中的 4 级。
浮点：h / 255，用浮点，不取整到灰度级；各种算法相差不超过最大幅值的 10^-4。</translation>
  </message>
  <message>
   <source>Format</source>
   <translation>格式</translation>
  </message>
  <message>
   <source>Formula</source>
   <translation>公式</translation>
  </message>
  <message>
   <source>Found by the method. Drag, or arrow keys: the level is fixed from then on</source>
   <translation>由方法求得。拖动或用方向键后，级别即固定</translation>
  </message>
  <message>
   <source>Found: %1</source>
   <translation>找到：%1</translation>
  </message>
  <message>
   <source>Fritsch and Carlson 1980, Monotone piecewise cubic interpolation</source>
   <translation>Fritsch 和 Carlson 1980，Monotone piecewise cubic interpolation</translation>
  </message>
  <message>
   <source>From</source>
   <translation>从</translation>
  </message>
  <message>
   <source>From %1 to %2.</source>
   <translation>从 %1 到 %2。</translation>
  </message>
  <message>
   <source>From region</source>
   <translation>自区域</translation>
  </message>
  <message>
   <source>From the chosen results; a noisy figure with its 95% interval beneath it</source>
   <translation>取自所选结果；波动大的数值下方为其 95% 区间</translation>
  </message>
  <message>
   <source>From which size on one side wins</source>
   <translation>从哪个尺寸起一方胜出</translation>
  </message>
  <message>
   <source>From: %1</source>
   <translation>从：%1</translation>
  </message>
  <message>
   <source>Full range</source>
   <translation>全范围</translation>
  </message>
  <message>
   <source>Full range, linear, natural colours</source>
   <translation>全范围，线性，自然颜色</translation>
  </message>
  <message>
   <source>G</source>
   <translation>G</translation>
  </message>
  <message>
   <source>G</source>
   <comment>green</comment>
   <translation>G</translation>
  </message>
  <message>
   <source>GB/s</source>
   <translation>GB/s</translation>
  </message>
  <message>
   <source>GPU</source>
   <translation>GPU</translation>
  </message>
  <message>
   <source>GPU &amp;device</source>
   <translation>GPU 设备(&amp;D)</translation>
  </message>
  <message>
   <source>GPU (not available)</source>
   <translation>GPU（不可用）</translation>
  </message>
  <message>
   <source>GPU clock not known</source>
   <translation>GPU 频率未知</translation>
  </message>
  <message>
   <source>GPU download</source>
   <translation>GPU 下载</translation>
  </message>
  <message>
   <source>GPU end to
end, ms</source>
   <translation>GPU 端到
端，ms</translation>
  </message>
  <message>
   <source>GPU end to end</source>
   <translation>GPU 端到端</translation>
  </message>
  <message>
   <source>GPU end to end against %1</source>
   <translation>GPU 端到端对比 %1</translation>
  </message>
  <message>
   <source>GPU kernel only</source>
   <translation>GPU 仅内核</translation>
  </message>
  <message>
   <source>GPU kernels</source>
   <translation>GPU 内核</translation>
  </message>
  <message>
   <source>GPU kernels
ms</source>
   <translation>GPU 内核
ms</translation>
  </message>
  <message>
   <source>GPU kernels against the CPU on one thread, both measured here. Other pairs: in the tool tips of the figures.</source>
   <translation>GPU 内核对比 CPU 单线程，均在此测量。其他组合见各数据的提示。</translation>
  </message>
  <message>
   <source>GPU upload</source>
   <translation>GPU 上传</translation>
  </message>
  <message>
   <source>GPU: energy of the whole device, joules a megapixel</source>
   <translation>GPU：整个设备的能耗，焦耳每百万像素</translation>
  </message>
  <message>
   <source>GPU: the image and its result stay in its memory</source>
   <translation>GPU：图像及其结果留在其内存中</translation>
  </message>
  <message>
   <source>GPU: with upload and download; CPU: the whole operation</source>
   <translation>GPU：含上传和下载；CPU：整个运算</translation>
  </message>
  <message>
   <source>Gain</source>
   <translation>增益</translation>
  </message>
  <message>
   <source>Gamma</source>
   <translation>伽马</translation>
  </message>
  <message>
   <source>Gamma of %1</source>
   <translation>%1的伽马</translation>
  </message>
  <message>
   <source>Gamma of the view</source>
   <translation>视图的伽马</translation>
  </message>
  <message>
   <source>Gaussian</source>
   <translation>高斯</translation>
  </message>
  <message>
   <source>Gaussian blur</source>
   <translation>高斯模糊</translation>
  </message>
  <message>
   <source>Gaussian filter on salt-and-pepper noise</source>
   <translation>椒盐噪声上的高斯滤波</translation>
  </message>
  <message>
   <source>Gaussian noise on a gray image, then non-local means, which is timed</source>
   <translation>灰度图像加高斯噪声，再做非局部均值；对后者测时</translation>
  </message>
  <message>
   <source>Gaussian: the standard deviation, in grey levels of 8 bits at every depth</source>
   <translation>高斯：标准差，任何位深都以 8 位灰度级计</translation>
  </message>
  <message>
   <source>Geometry</source>
   <translation>几何</translation>
  </message>
  <message>
   <source>Gives each brightness a colour of its own, so that small differences show that gray hides. Low and high say which levels get the first and the last colour. Viridis, inferno, magma, plasma and cividis rise evenly in brightness, cividis looks alike to the colour-blind; signed is for differences around the middle, cyclic for angles and hues, labels for numbered regions. Colour images are taken by their BT.601 luma. The result has 8 bits and colour; alpha passes on.</source>
   <translation>给每个亮度一种颜色，使灰度中看不出的细小差异显现。低和高指定哪些级别取首末颜色。viridis、inferno、magma、plasma 和 cividis 亮度均匀上升，cividis 对色觉异常者看来也一样；带符号用于中间值两侧的差异，循环用于角度和色相，标签用于编号区域。彩色图像取其 BT.601 亮度。结果为 8 位彩色；alpha 保留。</translation>
  </message>
  <message>
   <source>Global atomics</source>
   <translation>全局原子操作</translation>
  </message>
  <message>
   <source>Go on (Space)</source>
   <translation>继续（空格）</translation>
  </message>
  <message>
   <source>Gradient</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>Gray</source>
   <translation>灰度</translation>
  </message>
  <message>
   <source>Gray and colour</source>
   <translation>灰度和彩色</translation>
  </message>
  <message>
   <source>Gray conversion</source>
   <translation>灰度转换</translation>
  </message>
  <message>
   <source>Gray; colour for grayscale</source>
   <translation>灰度；灰度化用彩色</translation>
  </message>
  <message>
   <source>Grayscale</source>
   <translation>灰度化</translation>
  </message>
  <message>
   <source>Green</source>
   <translation>绿</translation>
  </message>
  <message>
   <source>Green alone</source>
   <translation>仅绿</translation>
  </message>
  <message>
   <source>Grey</source>
   <translation>灰</translation>
  </message>
  <message>
   <source>Guided filter</source>
   <translation>引导滤波</translation>
  </message>
  <message>
   <source>H</source>
   <translation>H</translation>
  </message>
  <message>
   <source>HEIF and AVIF</source>
   <translation>HEIF 和 AVIF</translation>
  </message>
  <message>
   <source>HEIF with samples of %1 bits is not read</source>
   <translation>不读取样本为 %1 位的 HEIF</translation>
  </message>
  <message>
   <source>Half of each</source>
   <translation>各一半</translation>
  </message>
  <message>
   <source>Half of each: what comes in, and the second image, %1.</source>
   <translation>输入与第二图像 %1 各占一半。</translation>
  </message>
  <message>
   <source>Half of each: what comes in, and the source. Another second input can be chosen in the controls of the step.</source>
   <translation>输入与原图各占一半。可在步骤的控件中选择其他第二输入。</translation>
  </message>
  <message>
   <source>Halfway between the means of both sides</source>
   <translation>两侧均值的中点</translation>
  </message>
  <message>
   <source>Handles</source>
   <translation>手柄</translation>
  </message>
  <message>
   <source>Handles in the image</source>
   <translation>图像中的手柄</translation>
  </message>
  <message>
   <source>Handles of a crop or rotation</source>
   <translation>裁剪或旋转的手柄</translation>
  </message>
  <message>
   <source>Handles of cro&amp;p and rotate</source>
   <translation>裁剪和旋转的手柄(&amp;P)</translation>
  </message>
  <message>
   <source>Height</source>
   <translation>高度</translation>
  </message>
  <message>
   <source>Hidden</source>
   <translation>已隐藏</translation>
  </message>
  <message>
   <source>High</source>
   <translation>高</translation>
  </message>
  <message>
   <source>High threshold</source>
   <translation>高阈值</translation>
  </message>
  <message>
   <source>Histogra&amp;ms on the steps</source>
   <translation>步骤上显示直方图(&amp;M)</translation>
  </message>
  <message>
   <source>Histogram</source>
   <translation>直方图</translation>
  </message>
  <message>
   <source>Histogram equalization</source>
   <translation>直方图均衡化</translation>
  </message>
  <message>
   <source>Histogram menu</source>
   <translation>直方图菜单</translation>
  </message>
  <message>
   <source>Histogram of %1</source>
   <translation>%1的直方图</translation>
  </message>
  <message>
   <source>Histogram of what the step gives</source>
   <translation>此步骤输出的直方图</translation>
  </message>
  <message>
   <source>Hold Shift</source>
   <translation>按住 Shift</translation>
  </message>
  <message>
   <source>Hold Shift to see the source</source>
   <translation>按住 Shift 查看原图</translation>
  </message>
  <message>
   <source>Horizontal</source>
   <translation>水平</translation>
  </message>
  <message>
   <source>Hot</source>
   <translation>Hot</translation>
  </message>
  <message>
   <source>How a sample was taken</source>
   <translation>样本的采集方式</translation>
  </message>
  <message>
   <source>How far below the mean a pixel may be and still be white; 8-bit levels whatever the depth</source>
   <translation>像素低于均值多少仍为白；无论位深均以 8 位级别计</translation>
  </message>
  <message>
   <source>How far both are apart; equal is black</source>
   <translation>两者相差多少；相等为黑</translation>
  </message>
  <message>
   <source>How far from gray: white for pure colours</source>
   <translation>离灰色多远：纯色为白</translation>
  </message>
  <message>
   <source>How far patches may differ and still count, in grey levels of 8 bits at every depth; about the standard deviation of the noise, or a little more</source>
   <translation>块可以相差多少仍算相似，任何位深都以 8 位灰度级计；约为噪声的标准差或略大</translation>
  </message>
  <message>
   <source>How far the result is from that of one CPU thread</source>
   <translation>结果与 CPU 单线程的结果相差多少</translation>
  </message>
  <message>
   <source>How far the rounds of this run scatter: where the median of as many rounds lies, 95 times of 100. A machine that is busier another time is not in it.</source>
   <translation>本次运行各轮的离散程度：同样轮数的中位数 100 次中有 95 次落在何处。机器在其他时间更忙的情况不在其内。</translation>
  </message>
  <message>
   <source>How far the shape reaches from its middle</source>
   <translation>形状从中心伸出多远</translation>
  </message>
  <message>
   <source>How it was measured</source>
   <translation>测量方法</translation>
  </message>
  <message>
   <source>How like the two images are</source>
   <translation>两幅图像有多相似</translation>
  </message>
  <message>
   <source>How much each pixel differs from its neighbours</source>
   <translation>每个像素与邻近像素相差多少</translation>
  </message>
  <message>
   <source>How much of that covers the input; 0 leaves the input</source>
   <translation>其中多少覆盖输入；0 保留输入</translation>
  </message>
  <message>
   <source>How much of the difference is added; 0 changes nothing</source>
   <translation>加上多少差异；0 不作改变</translation>
  </message>
  <message>
   <source>How much steeper than the mean a table may be; 0: not limited</source>
   <translation>表的斜率最多为均值的多少倍；0：不限制</translation>
  </message>
  <message>
   <source>How much the difference is amplified</source>
   <translation>差异放大多少倍</translation>
  </message>
  <message>
   <source>How much values vary around each pixel</source>
   <translation>每个像素周围的值变化多大</translation>
  </message>
  <message>
   <source>How much, without its sign</source>
   <translation>变化的大小，不计正负号</translation>
  </message>
  <message>
   <source>How samples are made</source>
   <translation>样本如何算出</translation>
  </message>
  <message>
   <source>How steep edges are, and which way they go</source>
   <translation>边缘有多陡，朝哪个方向</translation>
  </message>
  <message>
   <source>How steep, whatever the direction</source>
   <translation>有多陡，不论方向</translation>
  </message>
  <message>
   <source>How the cumulative histogram becomes the table</source>
   <translation>累积直方图如何变为表</translation>
  </message>
  <message>
   <source>How the curve goes from point to point</source>
   <translation>曲线如何从点到点</translation>
  </message>
  <message>
   <source>How the level is found</source>
   <translation>级别如何确定</translation>
  </message>
  <message>
   <source>How the result is computed; some are wrong on purpose</source>
   <translation>结果的计算方式；有些是故意出错的</translation>
  </message>
  <message>
   <source>How the result is computed; the result is the same</source>
   <translation>结果的计算方式；结果相同</translation>
  </message>
  <message>
   <source>How the three channels become one</source>
   <translation>三个通道如何合为一个</translation>
  </message>
  <message>
   <source>How the three differences across an edge are weighted</source>
   <translation>跨越边缘的三个差值如何加权</translation>
  </message>
  <message>
   <source>Hue</source>
   <translation>色相</translation>
  </message>
  <message>
   <source>I&amp;mages</source>
   <translation>图像(&amp;M)</translation>
  </message>
  <message>
   <source>I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968; J. Prewitt, Object enhancement and extraction, 1970; H. Scharr, Optimale Operatoren in der digitalen Bildverarbeitung, 2000</source>
   <translation>I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968; J. Prewitt, Object enhancement and extraction, 1970; H. Scharr, Optimale Operatoren in der digitalen Bildverarbeitung, 2000</translation>
  </message>
  <message>
   <source>Image</source>
   <translation>图像</translation>
  </message>
  <message>
   <source>Image hash</source>
   <translation>图像哈希</translation>
  </message>
  <message>
   <source>Image of the scope</source>
   <translation>示波器的图像</translation>
  </message>
  <message>
   <source>Images</source>
   <translation>图像</translation>
  </message>
  <message>
   <source>Images (%1)</source>
   <translation>图像 (%1)</translation>
  </message>
  <message>
   <source>Images of the folder</source>
   <translation>文件夹中的图像</translation>
  </message>
  <message>
   <source>In its own size and format</source>
   <translation>保持自身尺寸和格式</translation>
  </message>
  <message>
   <source>In its steps: %1</source>
   <translation>分步：%1</translation>
  </message>
  <message>
   <source>In memory: %1, of a budget of %2</source>
   <translation>内存中：%1，预算 %2</translation>
  </message>
  <message>
   <source>In six steps: rows of four within each block of 4 x 4, columns of four, then the right edges, lower edges and corners of the blocks are scanned, then everything is added. Needs room for more than half of the sums again</source>
   <translation>分六步：各 4 x 4 块内四格的行、四格的列，然后扫描块的右边、下边和角，最后全部相加。另需半数以上和的空间</translation>
  </message>
  <message>
   <source>Inf</source>
   <translation>Inf</translation>
  </message>
  <message>
   <source>Inferno</source>
   <translation>Inferno</translation>
  </message>
  <message>
   <source>Input minus the second image, black at least</source>
   <translation>输入减第二图像，至少为黑</translation>
  </message>
  <message>
   <source>Input minus the second image; equal is middle gray</source>
   <translation>输入减第二图像；相等为中灰</translation>
  </message>
  <message>
   <source>Input to paint: from the last edit to the moment when the picture that shows it was painted. Neither the time of a step (on its card) nor that of the chain (above the steps).</source>
   <translation>从输入到绘制：自最后一次编辑到绘出相应画面的时刻。既不是某步骤的用时（见其卡片），也不是处理链的用时（见步骤上方）。</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Inspector</source>
   <translation>检查器</translation>
  </message>
  <message>
   <source>Integral image</source>
   <translation>积分图</translation>
  </message>
  <message>
   <source>Integral image per offset</source>
   <translation>每个偏移一幅积分图</translation>
  </message>
  <message>
   <source>Integral image, two inner loops</source>
   <translation>积分图，两层内循环</translation>
  </message>
  <message>
   <source>Integral images per row of offsets</source>
   <translation>每行偏移一组积分图</translation>
  </message>
  <message>
   <source>Integral images, three inner loops</source>
   <translation>积分图，三层内循环</translation>
  </message>
  <message>
   <source>Invert</source>
   <translation>反相</translation>
  </message>
  <message>
   <source>Invert the threshold</source>
   <translation>反转阈值</translation>
  </message>
  <message>
   <source>Isodata</source>
   <translation>Isodata</translation>
  </message>
  <message>
   <source>It would take more than %1 MiB and could not be opened again. Regions of kept images that were drawn freehand take most.</source>
   <translation>它会超过 %1 MiB，之后无法再打开。所保留图像中手绘的区域占用最多。</translation>
  </message>
  <message>
   <source>Its page in the help</source>
   <translation>帮助中的对应页面</translation>
  </message>
  <message>
   <source>Its root, in pixels, as a float</source>
   <translation>其平方根，以像素计，浮点</translation>
  </message>
  <message>
   <source>Its square; white from one level up to the white level on</source>
   <translation>标准差的平方；不小于白电平的一律为白</translation>
  </message>
  <message>
   <source>J. A. C. Yule, Unsharp masking, 1944; as image editors have it</source>
   <translation>J. A. C. Yule, Unsharp masking, 1944；采用图像编辑软件的做法</translation>
  </message>
  <message>
   <source>J. Canny, A computational approach to edge detection, 1986</source>
   <translation>J. Canny, A computational approach to edge detection, 1986</translation>
  </message>
  <message>
   <source>J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011</source>
   <translation>J. K. Salmon、M. A. Moraes、R. O. Dror、D. E. Shaw，Parallel random numbers: as easy as 1, 2, 3，2011</translation>
  </message>
  <message>
   <source>J. Serra, Image analysis and mathematical morphology, 1982; M. van Herk, A fast algorithm for local minimum and maximum filters, 1992; J. Gil, M. Werman, Computing 2-D min, median and max filters, 1993</source>
   <translation>J. Serra, Image analysis and mathematical morphology, 1982; M. van Herk, A fast algorithm for local minimum and maximum filters, 1992; J. Gil, M. Werman, Computing 2-D min, median and max filters, 1993</translation>
  </message>
  <message>
   <source>J. W. Tukey, Exploratory Data Analysis, 1977; S. Perreault, P. Hebert, Median filtering in constant time, 2007; A. Adams, Fast median filters using separable sorting networks, 2021</source>
   <translation>J. W. Tukey，Exploratory Data Analysis，1977；S. Perreault、P. Hebert，Median filtering in constant time，2007；A. Adams，Fast median filters using separable sorting networks，2021</translation>
  </message>
  <message>
   <source>J/Mpixel</source>
   <translation>J/Mpixel</translation>
  </message>
  <message>
   <source>JBIG compression</source>
   <translation>JBIG 压缩</translation>
  </message>
  <message>
   <source>JPEG XL with integers of %1 bits is not read</source>
   <translation>不读取 %1 位整数的 JPEG XL</translation>
  </message>
  <message>
   <source>JPEG could not be written: %1</source>
   <translation>无法写入 JPEG：%1</translation>
  </message>
  <message>
   <source>JPEG with %1 components of unknown meaning is not read</source>
   <translation>不读取含 %1 个含义不明分量的 JPEG</translation>
  </message>
  <message>
   <source>JSON, to be opened again (*.json)</source>
   <translation>JSON，可再次打开 (*.json)</translation>
  </message>
  <message>
   <source>Jet</source>
   <translation>Jet</translation>
  </message>
  <message>
   <source>K. He, J. Sun, X. Tang, Guided image filtering, 2010</source>
   <translation>K. He, J. Sun, X. Tang, Guided image filtering, 2010</translation>
  </message>
  <message>
   <source>K. Turkowski, Filters for common resampling tasks, 1990</source>
   <translation>K. Turkowski, Filters for common resampling tasks, 1990</translation>
  </message>
  <message>
   <source>K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics Gems IV, 1994; details as in OpenCV</source>
   <translation>K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics Gems IV, 1994；细节同 OpenCV</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>保持</translation>
  </message>
  <message>
   <source>Keep unsaved steps for the next start</source>
   <translation>为下次启动保留未保存的步骤</translation>
  </message>
  <message>
   <source>Keeps a rectangle and drops the rest. What follows sees the rectangle alone: a blur after it repeats its edge, a histogram counts nothing outside. A width or height of 0 reaches to the edge. A rectangle beyond the image is refused.</source>
   <translation>保留一个矩形，舍弃其余。后续步骤只看到该矩形：其后的模糊会重复其边缘，直方图不计外部。宽度或高度为 0 则直到边缘。超出图像的矩形会被拒绝。</translation>
  </message>
  <message>
   <source>Keeps the sum of each column of the square and moves it down a row at a time; prefix sums along these give every square by one subtraction. The bits are those of an integral image modulo 2^32, of which no more than a row is stored. Float: sums from each place of a block of 2 r + 1 to its end and from its start, of which two make a window</source>
   <translation>保存方形各列的和，每次下移一行；沿其前缀和一次减法即得各方形。结果的位等同于模 2^32 的积分图，但只存一行。浮点：2 r + 1 的分块内从各处到块尾和从块首的和，两者组成一个窗口</translation>
  </message>
  <message>
   <source>Kept from before, not in this run: %1</source>
   <translation>先前保留，不在本次运行中：%1</translation>
  </message>
  <message>
   <source>Kernel</source>
   <translation>核</translation>
  </message>
  <message>
   <source>Kernel size</source>
   <translation>核大小</translation>
  </message>
  <message>
   <source>Kernels only</source>
   <translation>仅内核</translation>
  </message>
  <message>
   <source>Kernels, ms</source>
   <translation>内核，ms</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>按键</translation>
  </message>
  <message>
   <source>Keys (H)</source>
   <translation>按键 (H)</translation>
  </message>
  <message>
   <source>Keys and mouse</source>
   <translation>键盘和鼠标</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>种类</translation>
  </message>
  <message>
   <source>Kind of scope</source>
   <translation>示波器种类</translation>
  </message>
  <message>
   <source>L</source>
   <translation>L</translation>
  </message>
  <message>
   <source>L</source>
   <comment>luminance</comment>
   <translation>L</translation>
  </message>
  <message>
   <source>L = 256 (65,536 for 16 bits). Where a side does not divide by its tiles, both grow by tiles - side mod tiles, mirrored without the edge pixel; area is that of a tile.
Per tile: counts above max(1, floor(clip area / L)) are cut; what is cut is spread evenly, the rest of it one by one to levels max(1, L / rest) apart from 0 on. t(k) = (L-1) C(k) / area, C cumulative, rounded half to even.
Position x / tile width - 0.5, y alike; between the tables of the four tiles around it bilinear with weights of 16 bits, rounded half up; tiles beyond the edge are those at it.
Luma on colour: R' = min(L-1, (2 R t + Y) / (2 Y)), G and B alike; where Y = 0 the pixel is unchanged. Y is BT.601 luma.</source>
   <translation>L = 256（16 位为 65,536）。某一边不能被块数整除时，两边各增加 块数 - 边长 mod 块数，镜像且不含边缘像素；area 为一块的面积。
每块：计数超过 max(1, floor(clip area / L)) 的部分被削去；削去的均匀分摊，余数从 0 起每隔 max(1, L / 余数) 级各加一。t(k) = (L-1) C(k) / area，C 为累积，取整到最近偶数。
位置 x / 块宽 - 0.5，y 同理；在周围四块的表之间双线性插值，权重 16 位，四舍五入；边缘之外的块取边缘处的块。
彩色按亮度：R' = min(L-1, (2 R t + Y) / (2 Y))，G、B 同理；Y = 0 时像素不变。Y 为 BT.601 亮度。</translation>
  </message>
  <message>
   <source>L*a*b* samples</source>
   <translation>L*a*b* 样本</translation>
  </message>
  <message>
   <source>Label</source>
   <translation>标签</translation>
  </message>
  <message>
   <source>Labels</source>
   <translation>标签</translation>
  </message>
  <message>
   <source>Labels: a colour for each number</source>
   <translation>标签：每个编号一种颜色</translation>
  </message>
  <message>
   <source>Lanczos</source>
   <translation>Lanczos</translation>
  </message>
  <message>
   <source>Lang&amp;uage</source>
   <translation>语言(&amp;U)</translation>
  </message>
  <message>
   <source>Language of the system</source>
   <translation>跟随系统语言</translation>
  </message>
  <message>
   <source>Laplacian</source>
   <translation>拉普拉斯</translation>
  </message>
  <message>
   <source>Large figures and light charts for a room; nothing at the sides (Ctrl+Shift+L, Esc leaves)</source>
   <translation>供会议室使用的大字和浅色图表；隐藏侧栏 (Ctrl+Shift+L，Esc 退出)</translation>
  </message>
  <message>
   <source>Large sigma</source>
   <translation>大 σ</translation>
  </message>
  <message>
   <source>Larger image (Up)</source>
   <translation>更大的图像（上）</translation>
  </message>
  <message>
   <source>Largest difference</source>
   <translation>最大差值</translation>
  </message>
  <message>
   <source>Largest minus smallest value</source>
   <translation>最大值减最小值</translation>
  </message>
  <message>
   <source>Last value</source>
   <translation>末值</translation>
  </message>
  <message>
   <source>Latency</source>
   <translation>延迟</translation>
  </message>
  <message>
   <source>Later steps too</source>
   <translation>包括后续步骤</translation>
  </message>
  <message>
   <source>Least cross entropy: finds small or faint things</source>
   <translation>最小交叉熵：能找出小的或微弱的对象</translation>
  </message>
  <message>
   <source>Leave (Esc)</source>
   <translation>退出 (Esc)</translation>
  </message>
  <message>
   <source>Leaves the detail that is coarser than the small sigma and finer than the large one: spots and edges of about one size, without noise and without slow shading. What is alike in both becomes middle gray. Alpha passes unchanged.</source>
   <translation>保留比小 σ 粗、比大 σ 细的细节：尺寸相近的斑点和边缘，不含噪声和缓慢的明暗变化。两者相同处为中灰。Alpha 不变。</translation>
  </message>
  <message>
   <source>Left</source>
   <translation>左</translation>
  </message>
  <message>
   <source>Left
ms</source>
   <translation>左
ms</translation>
  </message>
  <message>
   <source>Left and Right read out one point after the other, with Shift ten</source>
   <translation>左右箭头键逐点读数，按住 Shift 每次十点</translation>
  </message>
  <message>
   <source>Left end
to end, ms</source>
   <translation>左端到
端，ms</translation>
  </message>
  <message>
   <source>Left out: the image shows an earlier step.</source>
   <translation>未计入：图像显示的是更早的步骤。</translation>
  </message>
  <message>
   <source>Left, Right</source>
   <translation>左、右</translation>
  </message>
  <message>
   <source>Left, right, above and below</source>
   <translation>左、右、上、下</translation>
  </message>
  <message>
   <source>Left: %1</source>
   <translation>左：%1</translation>
  </message>
  <message>
   <source>Left: timed here and now. Right: recorded on %1, played at its own pace; its pictures are computed here.</source>
   <translation>左：此时此地测量。右：在 %1 上录制，按其自身速度播放；其画面在此计算。</translation>
  </message>
  <message>
   <source>Less ga&amp;mma</source>
   <translation>降低伽马(&amp;M)</translation>
  </message>
  <message>
   <source>Less than a twentieth, or less than the 95% intervals are apart, is a draw and no win; noisy rows take no part, nor rows of all cores where one thread did the work.</source>
   <translation>相差不足二十分之一，或小于 95% 区间的间距，算平局；波动大的行不参与，由一个线程完成工作的全部核心行也不参与。</translation>
  </message>
  <message>
   <source>Level</source>
   <translation>级别</translation>
  </message>
  <message>
   <source>Level of %1</source>
   <translation>%1的级别</translation>
  </message>
  <message>
   <source>Levels</source>
   <translation>色阶</translation>
  </message>
  <message>
   <source>Levels as colours of a map</source>
   <translation>用色图把级别显示为颜色</translation>
  </message>
  <message>
   <source>Levels of 8 bits on both axes, times 257 for 16 bits, over 255 for float. Integers: a table in double, rounded half up and clamped. Float: the curve itself, NaN stays; the two points 0:0 and 255:255 change nothing, also outside 0 to 1.
Linear: y_k + (y_(k+1) - y_k) (x - x_k) / (x_(k+1) - x_k).
Monotone: the cubic through both points with the slopes m, d_k the slopes of the straight lines: m_1 = d_1, m_n = d_(n-1), else the mean of both neighbours, 0 where their product is not above 0; where d_k = 0 both ends get 0; from left to right, with a = m_k / d_k and b = m_(k+1) / d_k, where a^2 + b^2 &gt; 9 both slopes become 3 a d_k / sqrt(a^2 + b^2) and 3 b d_k / sqrt(a^2 + b^2).</source>
   <translation>两轴均以 8 位级别计，16 位乘 257，浮点除 255。整数：双精度制表，四舍五入并限幅。浮点：曲线本身，NaN 不变；两点 0:0 和 255:255 不改变任何值，0 到 1 之外亦然。
线性：y_k + (y_(k+1) - y_k) (x - x_k) / (x_(k+1) - x_k)。
单调：过两点且斜率为 m 的三次式，d_k 为直线斜率：m_1 = d_1，m_n = d_(n-1)，其余取两侧均值，乘积不大于 0 则为 0；d_k = 0 时两端为 0；自左至右，令 a = m_k / d_k，b = m_(k+1) / d_k，若 a^2 + b^2 &gt; 9，两斜率变为 3 a d_k / sqrt(a^2 + b^2) 和 3 b d_k / sqrt(a^2 + b^2)。</translation>
  </message>
  <message>
   <source>Levels through a curve</source>
   <translation>曲线调整级别</translation>
  </message>
  <message>
   <source>Li</source>
   <translation>Li</translation>
  </message>
  <message>
   <source>Lightness</source>
   <translation>明度</translation>
  </message>
  <message>
   <source>Local equalization (CLAHE)</source>
   <translation>局部均衡化 (CLAHE)</translation>
  </message>
  <message>
   <source>Local statistics</source>
   <translation>局部统计</translation>
  </message>
  <message>
   <source>Locate…</source>
   <translation>定位…</translation>
  </message>
  <message>
   <source>Log</source>
   <translation>日志</translation>
  </message>
  <message>
   <source>Log</source>
   <comment>logarithmic</comment>
   <translation>对数</translation>
  </message>
  <message>
   <source>LogLuv samples</source>
   <translation>LogLuv 样本</translation>
  </message>
  <message>
   <source>Logarithmic</source>
   <translation>对数</translation>
  </message>
  <message>
   <source>Logarithmic bars</source>
   <translation>对数条形</translation>
  </message>
  <message>
   <source>Logarithmic bars: fast and slow beside each other</source>
   <translation>对数条形：快慢可并列比较</translation>
  </message>
  <message>
   <source>Logarithmic counts</source>
   <translation>对数计数</translation>
  </message>
  <message>
   <source>Logarithmic counts: rare values become visible</source>
   <translation>对数计数：使稀少的值可见</translation>
  </message>
  <message>
   <source>Looking for devices…</source>
   <translation>正在查找设备…</translation>
  </message>
  <message>
   <source>Looking for the devices…</source>
   <translation>正在查找设备…</translation>
  </message>
  <message>
   <source>Looks closely at images and at what filters do to them, on CPU and GPU.</source>
   <translation>细看图像，细看滤波器在 CPU 和 GPU 上对图像做了什么。</translation>
  </message>
  <message>
   <source>Loupe of the result</source>
   <translation>结果的放大镜</translation>
  </message>
  <message>
   <source>Loupe of the source</source>
   <translation>原图的放大镜</translation>
  </message>
  <message>
   <source>Low</source>
   <translation>低</translation>
  </message>
  <message>
   <source>Low threshold</source>
   <translation>低阈值</translation>
  </message>
  <message>
   <source>Luma</source>
   <translation>亮度</translation>
  </message>
  <message>
   <source>Luma, red, green and blue in one pass</source>
   <translation>一遍同时得到亮度、红、绿、蓝</translation>
  </message>
  <message>
   <source>Luma: (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16. Value: max(R, G, B).
Saturation: (2 M (max - min) + max) / (2 max), 0 where max is 0.
Hue: ((2 L (s D + d) + 6 D) / (12 D)) mod L, D = max - min, L = M + 1; (s, d) = (0, G - B) where R is the largest, s = 6 where d &lt; 0; (2, B - R) where G is; (4, R - G) where B is, R before G before B; 0 where D is 0.
Lightness: CIE L* of sRGB, D65, M L* / 100, rounded, within 1: light c / 12.92 up to 0.04045, else ((c + 0.055) / 1.055)^2.4; Y = 0.2126 R + 0.7152 G + 0.0722 B; L* = 116 Y^(1/3) - 16 above 216 / 24389, else 24389 / 27 Y.
Float alike with M = L = 1, not rounded; NaN in a colour that takes part gives NaN. Alpha: M where there is none.</source>
   <translation>亮度：(19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16。明度值：max(R, G, B)。
饱和度：(2 M (max - min) + max) / (2 max)，max 为 0 时为 0。
色相：((2 L (s D + d) + 6 D) / (12 D)) mod L，D = max - min，L = M + 1；R 最大时 (s, d) = (0, G - B)，d &lt; 0 时 s = 6；G 最大时 (2, B - R)；B 最大时 (4, R - G)；相等时 R 先于 G 先于 B；D 为 0 时为 0。
明度：sRGB、D65 的 CIE L*，M L* / 100，取整，误差不超过 1：线性光在 0.04045 以下为 c / 12.92，否则为 ((c + 0.055) / 1.055)^2.4；Y = 0.2126 R + 0.7152 G + 0.0722 B；L* 在 216 / 24389 以上为 116 Y^(1/3) - 16，否则为 24389 / 27 Y。
浮点同理，M = L = 1，不取整；参与的颜色中有 NaN 则得 NaN。Alpha：没有则为 M。</translation>
  </message>
  <message>
   <source>Luminance</source>
   <translation>亮度</translation>
  </message>
  <message>
   <source>Luminance (0.299 R + 0.587 G + 0.114 B) by columns of the image</source>
   <translation>按图像列的亮度 (0.299 R + 0.587 G + 0.114 B)</translation>
  </message>
  <message>
   <source>Luminance: 0.299 R + 0.587 G + 0.114 B</source>
   <translation>亮度：0.299 R + 0.587 G + 0.114 B</translation>
  </message>
  <message>
   <source>M</source>
   <comment>magenta</comment>
   <translation>M</translation>
  </message>
  <message>
   <source>M - v, with the white level M of the format: 255, 65,535 for 16 bits, 1 for float.</source>
   <translation>M - v，M 为格式的白电平：255，16 位为 65,535，浮点为 1。</translation>
  </message>
  <message>
   <source>M. van Herk, A fast algorithm for local minimum and maximum filters, 1992 (range); T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, 1983 (float)</source>
   <translation>M. van Herk, A fast algorithm for local minimum and maximum filters, 1992（极差）；T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, 1983（浮点）</translation>
  </message>
  <message>
   <source>MAE</source>
   <translation>MAE</translation>
  </message>
  <message>
   <source>MAXVAL %1 is not between 1 and 65535</source>
   <translation>MAXVAL %1 不在 1 到 65535 之间</translation>
  </message>
  <message>
   <source>MIT licence. Third-party licences: THIRD_PARTY.md.</source>
   <translation>MIT 许可证。第三方许可证：THIRD_PARTY.md。</translation>
  </message>
  <message>
   <source>Machine</source>
   <translation>机器</translation>
  </message>
  <message>
   <source>Magma</source>
   <translation>岩浆</translation>
  </message>
  <message>
   <source>Magnitude</source>
   <translation>幅值</translation>
  </message>
  <message>
   <source>Makes a gray image of one channel: a stored one, to see what red, green, blue or alpha hold, or one that is computed from the three colours. Hue, saturation and value are those of HSV: hue goes once around the circle of colours, from red over yellow, green and blue back to red; lightness is how bright the eye sees a colour, in equal steps. A gray image counts as three equal colours with opaque alpha.</source>
   <translation>由一个通道生成灰度图像：存储的通道，用来查看红、绿、蓝或 alpha 的内容；或由三种颜色算出的通道。色相、饱和度和明度值取自 HSV：色相绕色环一周，由红经黄、绿、蓝回到红；明度是人眼感受的亮度，步长均匀。灰度图像视为三色相等、alpha 不透明。</translation>
  </message>
  <message>
   <source>Makes every pixel black or white, by its luma. The level is given, or found in the histogram of the whole image: Otsu for two populations of similar size, triangle for few bright things before much dark (or the reverse), Li for faint things in even surroundings, isodata and mean as simple ones. Where the light is uneven no single level fits: take adaptive threshold. Alpha is dropped.</source>
   <translation>按亮度使每个像素变黑或变白。级别可以给定，也可从整幅图像的直方图求得：Otsu 适合数量相近的两类，三角法适合大片暗背景上的少量亮物（或相反），Li 适合均匀背景上的微弱对象，isodata 和均值为简单方法。光照不均时没有合适的单一级别：请用自适应阈值。舍去 alpha。</translation>
  </message>
  <message>
   <source>Makes one gray channel of red, green and blue. The weighted methods follow how bright the eye sees each primary; the average treats them alike; the maximum keeps saturated colours bright. A gray image passes unchanged. Alpha is dropped: a gray image has none.</source>
   <translation>由红、绿、蓝得到一个灰度通道。加权方法依照人眼对各原色的亮度感受；平均一视同仁；最大值使饱和的颜色保持明亮。灰度图像不变。舍去 alpha：灰度图像没有 alpha。</translation>
  </message>
  <message>
   <source>Makes the image larger or smaller. Give a width, a height or both; where one is 0 it follows from the other, and where both are 0 the percentage counts. When reducing, kernels are widened so that every pixel counts and nothing flickers; nearest takes single pixels.</source>
   <translation>放大或缩小图像。给出宽度、高度或两者；其中一个为 0 时由另一个推出，两者都为 0 时用百分比。缩小时核会加宽，使每个像素都计入，不产生闪烁；最近邻取单个像素。</translation>
  </message>
  <message>
   <source>Map</source>
   <translation>色图</translation>
  </message>
  <message>
   <source>Mapping</source>
   <translation>映射</translation>
  </message>
  <message>
   <source>Maps by S. van der Walt, N. Smith and E. Firing (matplotlib); J. Nuñez and others (cividis); A. Mikhailov (turbo)</source>
   <translation>色图作者：S. van der Walt、N. Smith 和 E. Firing (matplotlib)；J. Nuñez 等 (cividis)；A. Mikhailov (turbo)</translation>
  </message>
  <message>
   <source>Maps each grey level by the cumulative histogram of the whole image, so that levels that are crowded move apart. Brings out detail in flat, dark or hazy images; noise in even areas grows too. Alpha passes unchanged.</source>
   <translation>用整幅图像的累积直方图映射每个灰度级，使拥挤的级别分开。使平淡、昏暗或雾蒙的图像显出细节；均匀区域的噪声也会增强。Alpha 不变。</translation>
  </message>
  <message>
   <source>Mark cli&amp;pping</source>
   <translation>标记截断(&amp;P)</translation>
  </message>
  <message>
   <source>Mark clipping</source>
   <translation>标记截断</translation>
  </message>
  <message>
   <source>Markdown (*.md)</source>
   <translation>Markdown (*.md)</translation>
  </message>
  <message>
   <source>Marked as noisy in one of the runs: it promised nothing and is not counted</source>
   <translation>在其中一次运行中标为波动大：不作任何保证，不计入</translation>
  </message>
  <message>
   <source>Mask</source>
   <translation>蒙版</translation>
  </message>
  <message>
   <source>Matching commands</source>
   <translation>匹配的命令</translation>
  </message>
  <message>
   <source>Max</source>
   <translation>最大</translation>
  </message>
  <message>
   <source>Maximum</source>
   <translation>最大</translation>
  </message>
  <message>
   <source>Mean</source>
   <translation>均值</translation>
  </message>
  <message>
   <source>Mean absolute difference</source>
   <translation>平均绝对差</translation>
  </message>
  <message>
   <source>Mean absolute error</source>
   <translation>平均绝对误差</translation>
  </message>
  <message>
   <source>Mean over a square</source>
   <translation>方形区域的均值</translation>
  </message>
  <message>
   <source>Mean squared error</source>
   <translation>均方误差</translation>
  </message>
  <message>
   <source>Measure again</source>
   <translation>重新测量</translation>
  </message>
  <message>
   <source>Measured here</source>
   <translation>在此测量</translation>
  </message>
  <message>
   <source>Measured here, on %1 and %2</source>
   <translation>在此测量，在 %1 和 %2 上</translation>
  </message>
  <message>
   <source>Measured here, on %1, no GPU</source>
   <translation>在此测量，在 %1 上，没有 GPU</translation>
  </message>
  <message>
   <source>Measured on</source>
   <translation>测量于</translation>
  </message>
  <message>
   <source>Measurement</source>
   <translation>测量</translation>
  </message>
  <message>
   <source>Measures all of it once more and says which figures moved</source>
   <translation>全部再测一次，并说明哪些数据有变动</translation>
  </message>
  <message>
   <source>Med.</source>
   <translation>中位数</translation>
  </message>
  <message>
   <source>Median</source>
   <translation>中值</translation>
  </message>
  <message>
   <source>Median of %1, %2 to %3 ms from the 10th to the 90th percentile</source>
   <translation>中位数 %1，第 10 到第 90 百分位为 %2 到 %3 ms</translation>
  </message>
  <message>
   <source>Median over a square</source>
   <translation>方形区域的中值</translation>
  </message>
  <message>
   <source>Median time against image size</source>
   <translation>中位时间与图像大小</translation>
  </message>
  <message>
   <source>Median, ms</source>
   <translation>中位数，ms</translation>
  </message>
  <message>
   <source>Median: the sample in the middle; its tool tip has percentiles</source>
   <translation>中位数：居中的样本；其提示中有百分位数</translation>
  </message>
  <message>
   <source>Medians and 10th to 90th percentile of n repeated runs</source>
   <translation>n 次重复运行的中位数和第 10 到第 90 百分位</translation>
  </message>
  <message>
   <source>Memory b&amp;udget…</source>
   <translation>内存预算(&amp;U)…</translation>
  </message>
  <message>
   <source>Memory budget</source>
   <translation>内存预算</translation>
  </message>
  <message>
   <source>Memory budget: %1</source>
   <translation>内存预算：%1</translation>
  </message>
  <message>
   <source>Memory, planning, first use of a kernel, waiting: %1</source>
   <translation>内存、规划、内核首次使用、等待：%1</translation>
  </message>
  <message>
   <source>Message</source>
   <translation>消息</translation>
  </message>
  <message>
   <source>Method</source>
   <translation>方法</translation>
  </message>
  <message>
   <source>Microscopy contrast</source>
   <translation>显微对比度</translation>
  </message>
  <message>
   <source>Min</source>
   <translation>最小</translation>
  </message>
  <message>
   <source>Minima and maxima over a shape: erode, dilate, open, close and what is left</source>
   <translation>形状范围内的最小值和最大值：腐蚀、膨胀、开运算、闭运算及其残差</translation>
  </message>
  <message>
   <source>Minimum</source>
   <translation>最小</translation>
  </message>
  <message>
   <source>Minimum to maximum</source>
   <translation>最小值到最大值</translation>
  </message>
  <message>
   <source>Mirrored at the diagonal from the top left</source>
   <translation>沿左上起的对角线镜像</translation>
  </message>
  <message>
   <source>Mirrored at the diagonal from the top right</source>
   <translation>沿右上起的对角线镜像</translation>
  </message>
  <message>
   <source>Mode</source>
   <translation>模式</translation>
  </message>
  <message>
   <source>Moments of the first order of plane regions</source>
   <translation>平面区域的一阶矩</translation>
  </message>
  <message>
   <source>More &amp;exposure</source>
   <translation>增加曝光(&amp;E)</translation>
  </message>
  <message>
   <source>More &amp;gamma</source>
   <translation>提高伽马(&amp;G)</translation>
  </message>
  <message>
   <source>More files could not be opened; the log names them.</source>
   <translation>还有文件无法打开；日志中列出了名称。</translation>
  </message>
  <message>
   <source>More greys for dark values</source>
   <translation>暗值使用更多灰度</translation>
  </message>
  <message>
   <source>Morphology</source>
   <translation>形态学</translation>
  </message>
  <message>
   <source>Motion</source>
   <translation>运动</translation>
  </message>
  <message>
   <source>Mouse over the image</source>
   <translation>图像上的鼠标</translation>
  </message>
  <message>
   <source>Mouse, or focus, at rest</source>
   <translation>鼠标或焦点停留</translation>
  </message>
  <message>
   <source>Move %1</source>
   <translation>移动 %1</translation>
  </message>
  <message>
   <source>Move down</source>
   <translation>下移</translation>
  </message>
  <message>
   <source>Move over the image to read its pixels.</source>
   <translation>在图像上移动以读取像素。</translation>
  </message>
  <message>
   <source>Move up</source>
   <translation>上移</translation>
  </message>
  <message>
   <source>Moves each colour away from the gray of the same brightness, or towards it: 0 % leaves gray, 100 % changes nothing, 200 % doubles the distance. The brightness (BT.601 luma) stays, but for what is clipped. A gray image passes unchanged, and so does alpha.</source>
   <translation>使每种颜色远离或靠近同亮度的灰色：0 % 只剩灰色，100 % 不变，200 % 距离加倍。亮度（BT.601）保持不变，截断处除外。灰度图像不变，alpha 也不变。</translation>
  </message>
  <message>
   <source>Multiply</source>
   <translation>正片叠底</translation>
  </message>
  <message>
   <source>N</source>
   <translation>N</translation>
  </message>
  <message>
   <source>N races with the nearest of these values.</source>
   <translation>按 N 用其中最接近的值比赛。</translation>
  </message>
  <message>
   <source>N. Otsu, A threshold selection method from gray-level histograms, 1979; G. Zack et al., Automatic measurement of sister chromatid exchange frequency, 1977; C. Li and P. Tam, An iterative algorithm for minimum cross entropy thresholding, 1998; T. Ridler and S. Calvard, Picture thresholding using an iterative selection method, 1978</source>
   <translation>N. Otsu, A threshold selection method from gray-level histograms, 1979; G. Zack et al., Automatic measurement of sister chromatid exchange frequency, 1977; C. Li and P. Tam, An iterative algorithm for minimum cross entropy thresholding, 1998; T. Ridler and S. Calvard, Picture thresholding using an iterative selection method, 1978</translation>
  </message>
  <message>
   <source>NaN</source>
   <translation>NaN</translation>
  </message>
  <message>
   <source>Name %1</source>
   <translation>命名 %1</translation>
  </message>
  <message>
   <source>Name of the step</source>
   <translation>步骤名称</translation>
  </message>
  <message>
   <source>Name. A preset of that name is replaced.</source>
   <translation>名称。同名预设将被替换。</translation>
  </message>
  <message>
   <source>Name…</source>
   <translation>命名…</translation>
  </message>
  <message>
   <source>Natural colours</source>
   <translation>自然颜色</translation>
  </message>
  <message>
   <source>Ne&amp;xt page</source>
   <translation>下一页(&amp;X)</translation>
  </message>
  <message>
   <source>Nearest</source>
   <translation>最近邻</translation>
  </message>
  <message>
   <source>Neighbours</source>
   <translation>邻域</translation>
  </message>
  <message>
   <source>Networks of minima and maxima on whole vectors; squares share what they have in common, sorted once. From radius 3 on, where vectors have 16 bytes: histograms of columns that slide along the row (8 bits), selection bit by bit (16 bits and float)</source>
   <translation>对整个向量用最小值和最大值网络；各方块共有的部分只排序一次。半径从 3 起，若向量为 16 字节：列直方图沿行滑动（8 位），逐位选择（16 位和浮点）</translation>
  </message>
  <message>
   <source>New black</source>
   <translation>新黑点</translation>
  </message>
  <message>
   <source>New key</source>
   <translation>新快捷键</translation>
  </message>
  <message>
   <source>New white</source>
   <translation>新白点</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>下一个</translation>
  </message>
  <message>
   <source>Next c&amp;hannel</source>
   <translation>下一通道(&amp;H)</translation>
  </message>
  <message>
   <source>Next false colo&amp;urs</source>
   <translation>下一种伪彩色(&amp;U)</translation>
  </message>
  <message>
   <source>Next open image</source>
   <translation>下一个打开的图像</translation>
  </message>
  <message>
   <source>Next operation (Right)</source>
   <translation>下一运算（右）</translation>
  </message>
  <message>
   <source>Next pane</source>
   <translation>下一窗格</translation>
  </message>
  <message>
   <source>Next pixel that differs</source>
   <translation>下一个不同的像素</translation>
  </message>
  <message>
   <source>Night photo</source>
   <translation>夜景照片</translation>
  </message>
  <message>
   <source>No GPU figures: %1</source>
   <translation>没有 GPU 数据：%1</translation>
  </message>
  <message>
   <source>No GPU in particular was chosen</source>
   <translation>未指定 GPU</translation>
  </message>
  <message>
   <source>No GPU: %1</source>
   <translation>没有 GPU：%1</translation>
  </message>
  <message>
   <source>No autosave: %1 is locked</source>
   <translation>不自动保存：%1 已被锁定</translation>
  </message>
  <message>
   <source>No hints</source>
   <translation>不再提示</translation>
  </message>
  <message>
   <source>No image</source>
   <translation>没有图像</translation>
  </message>
  <message>
   <source>No image is open.</source>
   <translation>没有打开的图像。</translation>
  </message>
  <message>
   <source>No key</source>
   <translation>无快捷键</translation>
  </message>
  <message>
   <source>No longer %1</source>
   <translation>不再使用 %1</translation>
  </message>
  <message>
   <source>No objects: what the step is given has no area of non-zero pixels that is large enough</source>
   <translation>没有对象：该步骤的输入中没有足够大的非零像素区域</translation>
  </message>
  <message>
   <source>No operation matches “%1”</source>
   <translation>没有符合“%1”的运算</translation>
  </message>
  <message>
   <source>No preset yet</source>
   <translation>尚无预设</translation>
  </message>
  <message>
   <source>No result of one side has a counterpart on the other (the same operation, parameters, format and cache). Left has: %1. Right has: %2.</source>
   <translation>一侧的结果在另一侧都没有对应项（相同的运算、参数、格式和缓存）。左侧有：%1。右侧有：%2。</translation>
  </message>
  <message>
   <source>No results are shipped with this program.</source>
   <translation>本程序未附带结果。</translation>
  </message>
  <message>
   <source>No room here for: %1. The card has them.</source>
   <translation>此处放不下：%1。见卡片。</translation>
  </message>
  <message>
   <source>No run yet: it is drawn here as soon as a chain has run.</source>
   <translation>尚未运行：处理链一旦运行就在此绘出。</translation>
  </message>
  <message>
   <source>No speedup: one thread did all the work</source>
   <translation>没有加速比：一个线程完成了全部工作</translation>
  </message>
  <message>
   <source>No speedup: the result of %1 %2</source>
   <translation>没有加速比：%1 的结果%2</translation>
  </message>
  <message>
   <source>No speedup: the results do not agree</source>
   <translation>没有加速比：结果不一致</translation>
  </message>
  <message>
   <source>No steps yet. Click Add step.</source>
   <translation>尚无步骤。单击“添加步骤”。</translation>
  </message>
  <message>
   <source>No steps yet. Press %1 or click Add step.</source>
   <translation>尚无步骤。按 %1 或单击“添加步骤”。</translation>
  </message>
  <message>
   <source>No steps yet. Press A or click Add step.</source>
   <translation>尚无步骤。按 A 或单击“添加步骤”。</translation>
  </message>
  <message>
   <source>No&amp;w</source>
   <translation>现在(&amp;W)</translation>
  </message>
  <message>
   <source>No.</source>
   <translation>序号</translation>
  </message>
  <message>
   <source>Noise</source>
   <translation>噪声</translation>
  </message>
  <message>
   <source>Noise, strength, patch (7 × 7) and search window (21 × 21) are ours, so that the amount of work may differ from the published one</source>
   <translation>噪声、强度、块 (7 × 7) 和搜索窗口 (21 × 21) 为我们所定，工作量可能与已发表的不同</translation>
  </message>
  <message>
   <source>Noisy: %1 to %2 ms</source>
   <translation>波动大：%1 至 %2 ms</translation>
  </message>
  <message>
   <source>Noisy: it may be %1. A machine with less else to do says more</source>
   <translation>波动大：可能为 %1。机器空闲时测得更准</translation>
  </message>
  <message>
   <source>Noisy: so far do the rounds of this run scatter (95% interval)</source>
   <translation>波动大：本次运行各轮的离散范围（95% 区间）</translation>
  </message>
  <message>
   <source>Noisy: up to</source>
   <translation>波动大：至多</translation>
  </message>
  <message>
   <source>Non-local means</source>
   <translation>非局部均值</translation>
  </message>
  <message>
   <source>None is said: no two places have two sizes in common where results agree and more than one thread worked.</source>
   <translation>无结论：没有两个位置在两个共同尺寸上结果一致且有多个线程工作。</translation>
  </message>
  <message>
   <source>None is said: rows of the CPU are noisy.</source>
   <translation>无结论：CPU 的行波动大。</translation>
  </message>
  <message>
   <source>None is said: there are no two places to compare.</source>
   <translation>无结论：没有两个位置可供比较。</translation>
  </message>
  <message>
   <source>None is said: there are no two sizes.</source>
   <translation>无结论：没有两个尺寸。</translation>
  </message>
  <message>
   <source>None was published</source>
   <translation>没有发表过</translation>
  </message>
  <message>
   <source>Normal</source>
   <translation>正常</translation>
  </message>
  <message>
   <source>Not computed again: nothing before it or in it has changed</source>
   <translation>未重新计算：此前及此步骤均无变化</translation>
  </message>
  <message>
   <source>Not counted in the other figures</source>
   <translation>不计入其他数据</translation>
  </message>
  <message>
   <source>Not finite</source>
   <translation>非有限</translation>
  </message>
  <message>
   <source>Not kept: a preset needs a name of at most %1 letters, and an operation has room for %2.</source>
   <translation>未保留：预设名称最多 %1 个字符，一种运算最多 %2 个预设。</translation>
  </message>
  <message>
   <source>Not measured yet</source>
   <translation>尚未测量</translation>
  </message>
  <message>
   <source>Not run</source>
   <translation>未运行</translation>
  </message>
  <message>
   <source>Not saved: %1</source>
   <translation>未保存：%1</translation>
  </message>
  <message>
   <source>Not saved: %1. Saving was cancelled.</source>
   <translation>未保存：%1。保存已取消。</translation>
  </message>
  <message>
   <source>Not saved: %1. The image or its steps changed before the result was complete.</source>
   <translation>未保存：%1。结果完成之前图像或步骤已更改。</translation>
  </message>
  <message>
   <source>Not while something is being computed</source>
   <translation>正在计算时不可用</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>备注</translation>
  </message>
  <message>
   <source>Nothing has been reported yet.</source>
   <translation>尚无报告。</translation>
  </message>
  <message>
   <source>Nothing is known that makes the figures doubtful.</source>
   <translation>没有已知情况使数字可疑。</translation>
  </message>
  <message>
   <source>Nothing is known that makes these figures doubtful.</source>
   <translation>未发现使这些数据可疑的情况。</translation>
  </message>
  <message>
   <source>Nothing is measured or shown yet.</source>
   <translation>尚未测量或显示任何内容。</translation>
  </message>
  <message>
   <source>Nothing of the region is left at that step.</source>
   <translation>到该步骤时区域已无剩余。</translation>
  </message>
  <message>
   <source>Now, ms</source>
   <translation>现在，ms</translation>
  </message>
  <message>
   <source>NumPy colours of type %1 are not read, only gray</source>
   <translation>不读取类型为 %1 的 NumPy 彩色，只读灰度</translation>
  </message>
  <message>
   <source>NumPy records are not read</source>
   <translation>不读取 NumPy 记录</translation>
  </message>
  <message>
   <source>NumPy samples of type &quot;%1&quot; are not read; uint8, uint16, uint32, uint64, float32 and float64 are</source>
   <translation>不读取类型为 &quot;%1&quot; 的 NumPy 样本；可读 uint8、uint16、uint32、uint64、float32 和 float64</translation>
  </message>
  <message>
   <source>Number of samples</source>
   <translation>样本数</translation>
  </message>
  <message>
   <source>Number of samples; warm-up not counted</source>
   <translation>样本数；不含预热</translation>
  </message>
  <message>
   <source>Number of values</source>
   <translation>值的个数</translation>
  </message>
  <message>
   <source>Number of values of the second parameter</source>
   <translation>第二参数的值的个数</translation>
  </message>
  <message>
   <source>Numbers the areas of non-zero pixels that touch</source>
   <translation>给相接的非零像素区域编号</translation>
  </message>
  <message>
   <source>O</source>
   <translation>O</translation>
  </message>
  <message>
   <source>O&amp;verview when zoomed in</source>
   <translation>放大时显示总览(&amp;V)</translation>
  </message>
  <message>
   <source>OS/2 BMP with compression %1 is not read</source>
   <translation>不读取压缩方式为 %1 的 OS/2 BMP</translation>
  </message>
  <message>
   <source>Objects</source>
   <translation>对象</translation>
  </message>
  <message>
   <source>Objects are listed where the step Connected components is on, mostly behind a threshold</source>
   <translation>步骤“连通分量”开启时在此列出对象，通常放在阈值之后</translation>
  </message>
  <message>
   <source>Odd side of the kernel; 0 takes 2 ceil(3 sigma) + 1, which cuts nothing visible</source>
   <translation>核的奇数边长；0 取 2 ceil(3σ) + 1，截去的部分不可见</translation>
  </message>
  <message>
   <source>Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16. gx = right minus left, gy = below minus above, each the sum of three differences weighted 1 2 1 (Sobel), 3 10 3 (Scharr) or 1 1 1 (Prewitt).
Magnitude: min(M, floor(sqrt(gx^2 + gy^2))) with M white. Horizontal, vertical: L/2 + (g &gt;&gt; 1), limited to 0 to M, with L/2 128 (32,768 for 16 bits).
Float: sqrt(gx^2 + gy^2), 0.5 + g / 2, not limited; gx and gy in float, from the left or from above, squares and root in double.
Beyond the border the edge pixel is repeated.</source>
   <translation>取 BT.601 亮度 (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16。gx = 右减左，gy = 下减上，各为三个差值之和，权重 1 2 1 (Sobel)、3 10 3 (Scharr) 或 1 1 1 (Prewitt)。
幅值：min(M, floor(sqrt(gx^2 + gy^2)))，M 为白。水平、垂直：L/2 + (g &gt;&gt; 1)，限于 0 到 M，L/2 为 128（16 位为 32,768）。
浮点：sqrt(gx^2 + gy^2)，0.5 + g / 2，不限幅；gx 和 gy 用浮点，自左或自上计算，平方和开方用双精度。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16. gx and gy with the Sobel kernel (1 2 1), edges repeated; m = |gx| + |gy|, 0 outside the image.
A pixel is a candidate where m &gt; low and m is a maximum across the edge: with t = 13573 |gx| and y = 32768 |gy|, for y &lt; t above the left and not below the right neighbour; for y &gt; t + 65536 |gx| above the upper and not below the lower one; else above both on the diagonal, upper left and lower right where gx and gy have the same sign (0 counts as positive).
White: candidates with m &gt; high, and those that are joined to one of these by candidates, corner to corner too. All others are 0.
16 bits: thresholds times 257. If low is above high, they are exchanged.</source>
   <translation>取 BT.601 亮度 (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16。gx 和 gy 用 Sobel 核 (1 2 1)，重复边缘；m = |gx| + |gy|，图像之外为 0。
m &gt; low 且 m 在跨边缘方向为最大的像素为候选：令 t = 13573 |gx|，y = 32768 |gy|，y &lt; t 时大于左邻且不小于右邻；y &gt; t + 65536 |gx| 时大于上邻且不小于下邻；其余大于对角线上两邻，gx 与 gy 同号时取左上和右下（0 算正）。
白：m &gt; high 的候选，以及经候选（含角相接）与其相连者。其余为 0。
16 位：阈值乘 257。若 low 大于 high 则互换。</translation>
  </message>
  <message>
   <source>Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16: s = sum of the 4 or 8 neighbours - 4 v or 8 v.
Absolute: min(M, |s|) with M white. Signed: L/2 + s, limited to 0 to M, with L/2 128 (32,768 for 16 bits).
Float: |s| and 0.5 + s, not limited; neighbours are added in float row by row from above, from the left.
Beyond the border the edge pixel is repeated.</source>
   <translation>取 BT.601 亮度 (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16：s = 4 或 8 个邻近像素之和 - 4 v 或 8 v。
绝对值：min(M, |s|)，M 为白。带符号：L/2 + s，限于 0 到 M，L/2 为 128（16 位为 32,768）。
浮点：|s| 和 0.5 + s，不限幅；邻近像素用浮点自上逐行、自左相加。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>Of BT.601 luma; every value that is not 0 counts alike, NaN among them. Pixels touch at sides, with connectivity 8 at corners too. Components of fewer than min_area pixels become 0; the others are numbered 1 to N in raster order (row by row, from the left) of their first pixels. Gives 32-bit labels.</source>
   <translation>取 BT.601 亮度；所有非 0 值同等看待，含 NaN。像素以边相接，连通性为 8 时也以角相接。少于 min_area 个像素的区域变为 0；其余按首个像素的光栅次序（逐行，自左）编号 1 到 N。结果为 32 位标签。</translation>
  </message>
  <message>
   <source>Of BT.601 luma; every value that is not 0 counts alike, NaN among them. d(p) = min over zero pixels q of (px - qx)^2 + (py - qy)^2, exact.
Squared: min(d, 4294967295), 32 bits. Distance: the root of d in double, rounded to float. Without any zero pixel: 4294967295, or the largest finite float.</source>
   <translation>取 BT.601 亮度；所有非 0 值同等看待，含 NaN。d(p) = 对零像素 q 取 (px - qx)^2 + (py - qy)^2 的最小值，精确。
平方：min(d, 4294967295)，32 位。距离：d 的平方根，双精度计算后舍入到浮点。没有零像素时：4294967295，或最大的有限浮点数。</translation>
  </message>
  <message>
   <source>Of an input W wide and H high:
Rotate by 90: out(i, j) = in(j, H - 1 - i)
Rotate by 180: out(i, j) = in(W - 1 - i, H - 1 - j)
Rotate by 270: out(i, j) = in(W - 1 - j, i)
Flip left and right: out(i, j) = in(W - 1 - i, j)
Flip top and bottom: out(i, j) = in(i, H - 1 - j)
Transpose: out(i, j) = in(j, i)
Transverse: out(i, j) = in(W - 1 - j, H - 1 - i)</source>
   <translation>输入宽 W、高 H：
旋转 90：out(i, j) = in(j, H - 1 - i)
旋转 180：out(i, j) = in(W - 1 - i, H - 1 - j)
旋转 270：out(i, j) = in(W - 1 - j, i)
左右翻转：out(i, j) = in(W - 1 - i, j)
上下翻转：out(i, j) = in(i, H - 1 - j)
转置：out(i, j) = in(j, i)
反转置：out(i, j) = in(W - 1 - j, H - 1 - i)</translation>
  </message>
  <message>
   <source>Of the disk of neighbours that count</source>
   <translation>参与计算的圆盘邻域</translation>
  </message>
  <message>
   <source>Of the fixed method: what is above is white; 8-bit levels whatever the depth</source>
   <translation>固定方法用：高于此值为白；无论位深均以 8 位级别计</translation>
  </message>
  <message>
   <source>Of the result; 0: from the height, or the percentage</source>
   <translation>结果的；0：由高度或百分比得出</translation>
  </message>
  <message>
   <source>Of the result; 0: from the width, or the percentage</source>
   <translation>结果的；0：由宽度或百分比得出</translation>
  </message>
  <message>
   <source>Of the source texts, which it repeats</source>
   <translation>属于来源文献，此处重做</translation>
  </message>
  <message>
   <source>Of the time: above 0 it is slower now</source>
   <translation>时间的变化：大于 0 表示现在更慢</translation>
  </message>
  <message>
   <source>Of what that machine reaches in copying its own memory. Above 100: warm data that fit in the cache come and go faster than a copy through memory.</source>
   <translation>相对于该机器复制自身内存的速度。高于 100：装得进缓存的热数据来去快于经内存的复制。</translation>
  </message>
  <message>
   <source>Of width and height, where both are 0</source>
   <translation>宽和高的百分比，两者都为 0 时使用</translation>
  </message>
  <message>
   <source>Off</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Offset</source>
   <translation>偏移</translation>
  </message>
  <message>
   <source>Old and new level, x:y, x rising; 8-bit levels whatever the depth</source>
   <translation>旧级别与新级别，x:y，x 递增；任何位深都用 8 位级别</translation>
  </message>
  <message>
   <source>On the same data by the same clock; never one side of our speedups</source>
   <translation>同样的数据、同样的计时；绝不作为我们加速比的一方</translation>
  </message>
  <message>
   <source>One channel as a gray image</source>
   <translation>把一个通道作为灰度图像</translation>
  </message>
  <message>
   <source>One object</source>
   <translation>1 个对象</translation>
  </message>
  <message>
   <source>One object covers %1% of the picture: a threshold tells objects from the ground.</source>
   <translation>一个对象覆盖了画面的 %1%：用阈值可把对象与背景分开。</translation>
  </message>
  <message>
   <source>One object covers %1% of the picture: are the objects darker than the ground?</source>
   <translation>一个对象覆盖了画面的 %1%：对象是否比背景暗？</translation>
  </message>
  <message>
   <source>One pass: both differences, and luma of colour, on the way from input to output</source>
   <translation>一遍：从输入到输出途中算出两个差值和彩色的亮度</translation>
  </message>
  <message>
   <source>One pass: sums, and luma of colour, on the way from input to output</source>
   <translation>一遍：从输入到输出途中求和并算出彩色的亮度</translation>
  </message>
  <message>
   <source>One pass; each pixel is read and written once</source>
   <translation>一遍；每个像素读写一次</translation>
  </message>
  <message>
   <source>One pass; each pixel of both is read once</source>
   <translation>一遍；两者的每个像素读一次</translation>
  </message>
  <message>
   <source>One pass; sums in 16, 32 or 64 bits, as few as hold those of the kernel</source>
   <translation>一遍；求和用 16、32 或 64 位，取装得下核之和的最少位数</translation>
  </message>
  <message>
   <source>One run, first-time costs and all. The cards below say what a step takes when it is repeated.</source>
   <translation>一次运行，含首次开销。下方卡片给出步骤重复运行时的用时。</translation>
  </message>
  <message>
   <source>One table from the luma histogram; red, green and blue are scaled together, so that hues stay until a channel reaches white</source>
   <translation>由亮度直方图得一张表；红、绿、蓝一同缩放，通道未达白之前色相不变</translation>
  </message>
  <message>
   <source>One thread or all cores (C)</source>
   <translation>单线程或全部核心 (C)</translation>
  </message>
  <message>
   <source>Only results of this session can be computed again, not those of files</source>
   <translation>只能重新计算本次会话的结果，不能重新计算文件中的结果</translation>
  </message>
  <message>
   <source>Only runs of this session can be repeated here; warpscope-cli bench --check FILE repeats a file</source>
   <translation>此处只能重复本次会话的运行；warpscope-cli bench --check FILE 可重复文件中的运行</translation>
  </message>
  <message>
   <source>Only those that are brighter than the median</source>
   <translation>仅比中值亮的</translation>
  </message>
  <message>
   <source>Only those that are darker than the median</source>
   <translation>仅比中值暗的</translation>
  </message>
  <message>
   <source>Opacity</source>
   <translation>不透明度</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>开运算</translation>
  </message>
  <message>
   <source>Open &amp;recent</source>
   <translation>打开最近文件(&amp;R)</translation>
  </message>
  <message>
   <source>Open &amp;sample scene</source>
   <translation>打开示例场景(&amp;S)</translation>
  </message>
  <message>
   <source>Open a recording</source>
   <translation>打开录制</translation>
  </message>
  <message>
   <source>Open a recording…</source>
   <translation>打开录制…</translation>
  </message>
  <message>
   <source>Open an image and add a step: it is then timed on one thread and on all cores</source>
   <translation>打开图像并添加步骤：随后在单线程和全部核心上测时</translation>
  </message>
  <message>
   <source>Open an image and add a step: it is then timed on one thread, on all cores and on the GPU</source>
   <translation>打开图像并添加步骤：随后在单线程、全部核心和 GPU 上测时</translation>
  </message>
  <message>
   <source>Open an image first.</source>
   <translation>请先打开图像。</translation>
  </message>
  <message>
   <source>Open an image to see its objects</source>
   <translation>打开图像以查看其中的对象</translation>
  </message>
  <message>
   <source>Open an image, or drop one on the window, to see its histogram</source>
   <translation>打开图像或拖到窗口上即可查看直方图</translation>
  </message>
  <message>
   <source>Open an image, or drop one on the window, to see its scopes</source>
   <translation>打开图像或拖到窗口上即可查看示波器</translation>
  </message>
  <message>
   <source>Open as second ima&amp;ge</source>
   <translation>作为第二图像打开(&amp;G)</translation>
  </message>
  <message>
   <source>Open as second ima&amp;ge…</source>
   <translation>作为第二图像打开(&amp;G)…</translation>
  </message>
  <message>
   <source>Open as second image</source>
   <translation>作为第二图像打开</translation>
  </message>
  <message>
   <source>Open images</source>
   <translation>打开图像</translation>
  </message>
  <message>
   <source>Open image…</source>
   <translation>打开图像…</translation>
  </message>
  <message>
   <source>Open one in the main window</source>
   <translation>在主窗口中打开图像</translation>
  </message>
  <message>
   <source>Open p&amp;ipeline…</source>
   <translation>打开处理链(&amp;I)…</translation>
  </message>
  <message>
   <source>Open pipeline</source>
   <translation>打开处理链</translation>
  </message>
  <message>
   <source>Open pipeline %1</source>
   <translation>打开处理链 %1</translation>
  </message>
  <message>
   <source>Open recent</source>
   <translation>打开最近文件</translation>
  </message>
  <message>
   <source>Open results</source>
   <translation>打开结果</translation>
  </message>
  <message>
   <source>Open sample scene</source>
   <translation>打开示例场景</translation>
  </message>
  <message>
   <source>Open second image…</source>
   <translation>打开第二图像…</translation>
  </message>
  <message>
   <source>Open session</source>
   <translation>打开会话</translation>
  </message>
  <message>
   <source>Open session %1</source>
   <translation>打开会话 %1</translation>
  </message>
  <message>
   <source>Open session…</source>
   <translation>打开会话…</translation>
  </message>
  <message>
   <source>OpenEXR with one sample of %1 for %2 x %3 pixels is not read</source>
   <translation>不读取每 %2 x %3 像素只有一个 %1 样本的 OpenEXR</translation>
  </message>
  <message>
   <source>Opened %1</source>
   <translation>已打开 %1</translation>
  </message>
  <message>
   <source>Opened %1, but: %2.</source>
   <translation>已打开 %1，但：%2。</translation>
  </message>
  <message>
   <source>Opened %1: %2</source>
   <translation>已打开 %1：%2</translation>
  </message>
  <message>
   <source>Opened as second image %1: %2</source>
   <translation>已作为第二幅图像打开 %1：%2</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>正在打开</translation>
  </message>
  <message>
   <source>Opening %1 …</source>
   <translation>正在打开 %1 …</translation>
  </message>
  <message>
   <source>Operation</source>
   <translation>运算</translation>
  </message>
  <message>
   <source>Operation before (Left)</source>
   <translation>上一运算（左）</translation>
  </message>
  <message>
   <source>Operation to sweep</source>
   <translation>要扫描的运算</translation>
  </message>
  <message>
   <source>Operations</source>
   <translation>运算</translation>
  </message>
  <message>
   <source>Operations a second against operations a byte, under what the machine can do</source>
   <translation>每秒运算次数对每字节运算次数，以机器能力为上限</translation>
  </message>
  <message>
   <source>Operations and variants</source>
   <translation>运算和变体</translation>
  </message>
  <message>
   <source>Operations and variants to time</source>
   <translation>要测量的运算和变体</translation>
  </message>
  <message>
   <source>Opponent, and picture of the result (O)</source>
   <translation>对手，以及结果的画面 (O)</translation>
  </message>
  <message>
   <source>Other libraries</source>
   <translation>其他库</translation>
  </message>
  <message>
   <source>Other libraries (not available)</source>
   <translation>其他库（不可用）</translation>
  </message>
  <message>
   <source>Other sizes, with commas between them</source>
   <translation>其他尺寸，以逗号分隔</translation>
  </message>
  <message>
   <source>Other threads found nothing to do</source>
   <translation>其他线程无事可做</translation>
  </message>
  <message>
   <source>Others: %1</source>
   <translation>其他：%1</translation>
  </message>
  <message>
   <source>Otsu</source>
   <translation>Otsu</translation>
  </message>
  <message>
   <source>Our automatic choice</source>
   <translation>我们的自动选择</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>轮廓</translation>
  </message>
  <message>
   <source>Output</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>Outside</source>
   <translation>图像之外</translation>
  </message>
  <message>
   <source>Over dx^2 + dy^2 &lt;= r^2: S = round(256 exp(-(dx^2 + dy^2) / (2 ss^2))), R(d) = round(256 exp(-d^2 / (2 sr^2))), d the absolute difference (colour: the sum over R, G, B), w = (S R + 128) &gt;&gt; 8.
out = (2 sum(w v) + sum(w)) / (2 sum(w)), rounded down.
16 bits: R at (d + 8) &gt;&gt; 4, in steps of 16 levels. Float: S, R and w unrounded.
Beyond the border the edge pixel is repeated.</source>
   <translation>在 dx^2 + dy^2 &lt;= r^2 上：S = round(256 exp(-(dx^2 + dy^2) / (2 ss^2)))，R(d) = round(256 exp(-d^2 / (2 sr^2)))，d 为绝对差（彩色：R、G、B 之和），w = (S R + 128) &gt;&gt; 8。
out = (2 sum(w v) + sum(w)) / (2 sum(w))，向下取整。
16 位：R 取 (d + 8) &gt;&gt; 4，步长 16 级。浮点：S、R 和 w 不取整。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>Over its full range this picture shows little: nearly all samples are very bright.</source>
   <translation>按全范围显示时此图几乎看不出内容：绝大部分样本很亮。</translation>
  </message>
  <message>
   <source>Over its full range this picture shows little: nearly all samples are very dark.</source>
   <translation>按全范围显示时此图几乎看不出内容：绝大部分样本很暗。</translation>
  </message>
  <message>
   <source>Over squares of (2 r + 1)^2 pixels, edge repeated; Y the luma (BT.601, rounded), c a channel: a = cov(Y, c) / (var(Y) + epsilon), b = mean(c) - a mean(Y), both rounded to float; result: mean(a) Y + mean(b), the edges of a and b repeated, rounded half up (float: to float).
Sums are exact for integers, else double. epsilon counts times 257^2 for 16 bits, over 255^2 for float.</source>
   <translation>在 (2 r + 1)^2 个像素的方形上，重复边缘；Y 为亮度（BT.601，取整），c 为一个通道：a = cov(Y, c) / (var(Y) + epsilon)，b = mean(c) - a mean(Y)，均舍入到浮点；结果：mean(a) Y + mean(b)，a 和 b 的边缘重复，四舍五入（浮点：舍入到浮点）。
整数的和精确，其余用双精度。epsilon 16 位乘 257^2，浮点除 255^2。</translation>
  </message>
  <message>
   <source>Over which pixels</source>
   <translation>在哪些像素上</translation>
  </message>
  <message>
   <source>Overview</source>
   <translation>总览</translation>
  </message>
  <message>
   <source>P. Haeberli, D. Voorhies, Image processing by interpolation and extrapolation, 1994</source>
   <translation>P. Haeberli, D. Voorhies, Image processing by interpolation and extrapolation, 1994</translation>
  </message>
  <message>
   <source>P1</source>
   <translation>P1</translation>
  </message>
  <message>
   <source>P5</source>
   <translation>P5</translation>
  </message>
  <message>
   <source>P95</source>
   <translation>P95</translation>
  </message>
  <message>
   <source>P99</source>
   <translation>P99</translation>
  </message>
  <message>
   <source>PAM of tuple type &quot;%1&quot; with depth %2 is not read</source>
   <translation>不读取元组类型为 &quot;%1&quot;、深度为 %2 的 PAM</translation>
  </message>
  <message>
   <source>PGM has no colour; save as PPM, or apply grayscale first</source>
   <translation>PGM 没有颜色；请存为 PPM，或先转为灰度</translation>
  </message>
  <message>
   <source>PNG (*.png)</source>
   <translation>PNG (*.png)</translation>
  </message>
  <message>
   <source>PNG could not be written: %1</source>
   <translation>无法写入 PNG：%1</translation>
  </message>
  <message>
   <source>PNG in the colours of the window (*.png)</source>
   <translation>PNG，窗口配色 (*.png)</translation>
  </message>
  <message>
   <source>PNG picture (*.png)</source>
   <translation>PNG 图片 (*.png)</translation>
  </message>
  <message>
   <source>PNG rows of unexpected size %1</source>
   <translation>PNG 行的大小 %1 异常</translation>
  </message>
  <message>
   <source>PSNR</source>
   <translation>PSNR</translation>
  </message>
  <message>
   <source>Page Up, Page Down</source>
   <translation>Page Up、Page Down</translation>
  </message>
  <message>
   <source>Page of the operation</source>
   <translation>此运算的页面</translation>
  </message>
  <message>
   <source>Parade</source>
   <translation>分量并列</translation>
  </message>
  <message>
   <source>Parameter</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>Parameter to sweep</source>
   <translation>要扫描的参数</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>Parameters and values to try</source>
   <translation>要尝试的参数与取值</translation>
  </message>
  <message>
   <source>Part of every image editor</source>
   <translation>各种图像编辑器都有</translation>
  </message>
  <message>
   <source>Pasted image</source>
   <translation>粘贴的图像</translation>
  </message>
  <message>
   <source>Patch radius</source>
   <translation>块半径</translation>
  </message>
  <message>
   <source>Patches of side 2 radius + 1 are compared; 0 compares single pixels</source>
   <translation>比较边长为 2 半径 + 1 的块；0 比较单个像素</translation>
  </message>
  <message>
   <source>Pause (Space)</source>
   <translation>暂停（空格）</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>已暂停</translation>
  </message>
  <message>
   <source>Paused. %1</source>
   <translation>已暂停。%1</translation>
  </message>
  <message>
   <source>Pausing after this sample. %1</source>
   <translation>将在此样本后暂停。%1</translation>
  </message>
  <message>
   <source>Peak signal-to-noise ratio in dB; the peak is the full scale of the format, %1</source>
   <translation>峰值信噪比，单位 dB；峰值是该格式的满量程 %1</translation>
  </message>
  <message>
   <source>Percentage</source>
   <translation>百分比</translation>
  </message>
  <message>
   <source>Percentile %1</source>
   <translation>百分位 %1</translation>
  </message>
  <message>
   <source>Percentiles 0.1 to 99.9</source>
   <translation>百分位 0.1 到 99.9</translation>
  </message>
  <message>
   <source>Percentiles 1, 5, 95 and 99</source>
   <translation>百分位 1、5、95 和 99</translation>
  </message>
  <message>
   <source>Pi&amp;xel values after each step</source>
   <translation>各步骤后的像素值(&amp;X)</translation>
  </message>
  <message>
   <source>Picture on the whole screen</source>
   <translation>图片占满整个屏幕</translation>
  </message>
  <message>
   <source>Pictures are shown with %1.</source>
   <translation>画面显示方式：%1。</translation>
  </message>
  <message>
   <source>Pinned pixels</source>
   <translation>固定像素</translation>
  </message>
  <message>
   <source>Pipelines (*.json)</source>
   <translation>处理链 (*.json)</translation>
  </message>
  <message>
   <source>Pixel values and statistics</source>
   <translation>像素值和统计</translation>
  </message>
  <message>
   <source>Pixels</source>
   <translation>像素</translation>
  </message>
  <message>
   <source>Pixels touch at sides and corners</source>
   <translation>像素以边和角相接</translation>
  </message>
  <message>
   <source>Pixels touch at sides only</source>
   <translation>像素仅以边相接</translation>
  </message>
  <message>
   <source>Pixels within a square of side 2 radius + 1 are averaged; time grows with its area</source>
   <translation>对边长为 2 半径 + 1 的方形内的像素取平均；耗时随其面积增长</translation>
  </message>
  <message>
   <source>Plasma</source>
   <translation>Plasma</translation>
  </message>
  <message>
   <source>Point %1 of %2 of %3</source>
   <translation>%3的第 %1 点，共 %2 点</translation>
  </message>
  <message>
   <source>Point %1 of %2: %3 becomes %4</source>
   <translation>第 %1 点，共 %2 点：%3 变为 %4</translation>
  </message>
  <message>
   <source>Points</source>
   <translation>点</translation>
  </message>
  <message>
   <source>Population moments; Shannon, A mathematical theory of communication (1948)</source>
   <translation>总体矩；Shannon，A mathematical theory of communication (1948)</translation>
  </message>
  <message>
   <source>Porter and Duff 1984; the modes are those of image editors</source>
   <translation>Porter 和 Duff 1984；各模式与图像编辑器相同</translation>
  </message>
  <message>
   <source>Pr&amp;ofile along a line</source>
   <translation>沿线剖面(&amp;O)</translation>
  </message>
  <message>
   <source>Pre&amp;vious image</source>
   <translation>上一图像(&amp;V)</translation>
  </message>
  <message>
   <source>Preparing the picture, %1 %</source>
   <translation>正在准备画面，%1 %</translation>
  </message>
  <message>
   <source>Preparing the picture…</source>
   <translation>正在准备画面…</translation>
  </message>
  <message>
   <source>Preparing: backends, and how fast this machine copies its memory</source>
   <translation>正在准备：计算后端，以及本机复制内存的速度</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>预设</translation>
  </message>
  <message>
   <source>Preset %1</source>
   <translation>预设 %1</translation>
  </message>
  <message>
   <source>Preset of %1</source>
   <translation>%1 的预设</translation>
  </message>
  <message>
   <source>Preset “%1” of %2, left out: %3</source>
   <translation>%2 的预设“%1”，已略去：%3</translation>
  </message>
  <message>
   <source>Presets</source>
   <translation>预设</translation>
  </message>
  <message>
   <source>Presets of %1</source>
   <translation>%1 的预设</translation>
  </message>
  <message>
   <source>Previo&amp;us open image</source>
   <translation>上一个打开的图像(&amp;U)</translation>
  </message>
  <message>
   <source>Previous page</source>
   <translation>上一页</translation>
  </message>
  <message>
   <source>Previous pane</source>
   <translation>上一窗格</translation>
  </message>
  <message>
   <source>Prewitt</source>
   <translation>Prewitt</translation>
  </message>
  <message>
   <source>Private sub-histograms</source>
   <translation>私有子直方图</translation>
  </message>
  <message>
   <source>Profile along the line</source>
   <translation>沿线剖面</translation>
  </message>
  <message>
   <source>Program</source>
   <translation>程序</translation>
  </message>
  <message>
   <source>Program, machine and conditions</source>
   <translation>程序、机器和环境</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>进度</translation>
  </message>
  <message>
   <source>Progress of the benchmark</source>
   <translation>基准测试的进度</translation>
  </message>
  <message>
   <source>Projector</source>
   <translation>投影</translation>
  </message>
  <message>
   <source>Published
CPU, ms</source>
   <translation>已发表
CPU，ms</translation>
  </message>
  <message>
   <source>Published
GPU, ms</source>
   <translation>已发表
GPU，ms</translation>
  </message>
  <message>
   <source>Published
speedup</source>
   <translation>已发表
加速比</translation>
  </message>
  <message>
   <source>Published elsewhere, hardware not known here</source>
   <translation>他处发表，此处不知其硬件</translation>
  </message>
  <message>
   <source>Published elsewhere, measured on other hardware</source>
   <translation>他处发表，在其他硬件上测量</translation>
  </message>
  <message>
   <source>Published elsewhere, on %1 and %2</source>
   <translation>他处发表，在 %1 和 %2 上</translation>
  </message>
  <message>
   <source>Published figures</source>
   <translation>已发表数字</translation>
  </message>
  <message>
   <source>Published figures beside ours</source>
   <translation>已发表数字与我们的数字</translation>
  </message>
  <message>
   <source>Published figures beside those chosen here</source>
   <translation>与此处所选并列的已发表数据</translation>
  </message>
  <message>
   <source>Published figures of the source texts, and ours</source>
   <translation>来源文献的已发表数据和我们的数据</translation>
  </message>
  <message>
   <source>Puts a second image over the input: the source, what an earlier step gave, or the other image that is open. It is converted to the input's format, and must have its size. Shows what a chain changed (difference with the source), brings detail back (add, subtract), keeps what another image marks (mask). Alpha is the input's.</source>
   <translation>把第二图像放到输入之上：原图、先前步骤的结果，或另一幅打开的图像。它会转换为输入的格式，尺寸必须相同。可显示处理链改变了什么（与原图的差值）、找回细节（相加、相减）、保留另一图像标出的部分（蒙版）。Alpha 取自输入。</translation>
  </message>
  <message>
   <source>Qt</source>
   <translation>Qt</translation>
  </message>
  <message>
   <source>Quarter turns and mirror images</source>
   <translation>四分之一转和镜像</translation>
  </message>
  <message>
   <source>R</source>
   <translation>R</translation>
  </message>
  <message>
   <source>R</source>
   <comment>red</comment>
   <translation>R</translation>
  </message>
  <message>
   <source>RGB</source>
   <translation>RGB</translation>
  </message>
  <message>
   <source>RGB with a transparent colour</source>
   <translation>RGB，有一种透明色</translation>
  </message>
  <message>
   <source>RGB with alpha</source>
   <translation>RGB 含 alpha</translation>
  </message>
  <message>
   <source>RMSE</source>
   <translation>RMSE</translation>
  </message>
  <message>
   <source>Race with recorded values (N)</source>
   <translation>用录制的参数比赛 (N)</translation>
  </message>
  <message>
   <source>Radius</source>
   <translation>半径</translation>
  </message>
  <message>
   <source>Ran on %1</source>
   <translation>运行于 %1</translation>
  </message>
  <message>
   <source>Range</source>
   <translation>极差</translation>
  </message>
  <message>
   <source>Ratio against image size</source>
   <translation>比率随图像尺寸的变化</translation>
  </message>
  <message>
   <source>Ratios of any two machines, places or variants</source>
   <translation>任意两台机器、两个位置或变体的比率</translation>
  </message>
  <message>
   <source>Ratios of two sets of results</source>
   <translation>两组结果的比率</translation>
  </message>
  <message>
   <source>Ratios, row by row</source>
   <translation>逐行比值</translation>
  </message>
  <message>
   <source>Re&amp;gion</source>
   <translation>区域(&amp;G)</translation>
  </message>
  <message>
   <source>Read again, because it has changed: %1</source>
   <translation>已变化，重新读取：%1</translation>
  </message>
  <message>
   <source>Red</source>
   <translation>红</translation>
  </message>
  <message>
   <source>Red alone</source>
   <translation>仅红</translation>
  </message>
  <message>
   <source>Red stripes: at white or beyond; blue stripes: at black or below</source>
   <translation>红色条纹：达到或超过白；蓝色条纹：达到或低于黑</translation>
  </message>
  <message>
   <source>Red, green and blue alike</source>
   <translation>红、绿、蓝一致</translation>
  </message>
  <message>
   <source>Red, green and blue by columns of the image</source>
   <translation>按图像列的红、绿、蓝</translation>
  </message>
  <message>
   <source>Red, green and blue together, without alpha</source>
   <translation>红、绿、蓝合计，不含 alpha</translation>
  </message>
  <message>
   <source>Region</source>
   <translation>区域</translation>
  </message>
  <message>
   <source>Regions are drawn freehand: Shift and drag, or R and drag</source>
   <translation>区域为手绘：按住 Shift 拖动，或按 R 后拖动</translation>
  </message>
  <message>
   <source>Regions are ellipses: Shift and drag, or R</source>
   <translation>区域为椭圆：按住 Shift 拖动，或按 R</translation>
  </message>
  <message>
   <source>Regions are rectangles: Shift and drag, or R</source>
   <translation>区域为矩形：按住 Shift 拖动，或按 R</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>移除</translation>
  </message>
  <message>
   <source>Remove %1</source>
   <translation>移除 %1</translation>
  </message>
  <message>
   <source>Remove steps</source>
   <translation>移除步骤</translation>
  </message>
  <message>
   <source>Remove them</source>
   <translation>移除</translation>
  </message>
  <message>
   <source>Repeat</source>
   <translation>重复</translation>
  </message>
  <message>
   <source>Replace by preset</source>
   <translation>用预设替换</translation>
  </message>
  <message>
   <source>Replace the source</source>
   <translation>替换原图</translation>
  </message>
  <message>
   <source>Replace the steps</source>
   <translation>替换现有步骤</translation>
  </message>
  <message>
   <source>Replaces each pixel by a mean of the pixels around it, each weighted by how much the patch around it resembles the patch around the pixel. Unlike a blur it keeps edges and repeated texture. The strength should follow the noise: too low leaves it, too high washes fine detail out. Alpha passes unchanged.</source>
   <translation>把每个像素换成周围像素的均值，权重取决于各自周围的块与该像素周围的块有多相似。与模糊不同，能保留边缘和重复的纹理。强度应与噪声相当：过低则噪声残留，过高则抹去细节。Alpha 不变。</translation>
  </message>
  <message>
   <source>Replaces each pixel by the mean of its neighbours, weighted by a bell curve of their distance and another one of the difference in level: what is beyond an edge hardly counts. Takes away noise and fine texture of areas and leaves edges sharp. Colours are weighted together, so that no edge changes its hue. Alpha passes unchanged.</source>
   <translation>每个像素替换为邻近像素的均值，权重为距离的钟形曲线乘以级别差的钟形曲线：边缘另一侧的像素几乎不计。去除区域内的噪声和细纹理，保持边缘锐利。各颜色一起加权，因此边缘不变色。Alpha 不变。</translation>
  </message>
  <message>
   <source>Replaces each pixel by the mean of its neighbours, weighted by a bell curve of their distance. Takes away noise and fine texture alike; sigma says how coarse the detail is that stays. Alpha passes unchanged.</source>
   <translation>把每个像素换成邻域的均值，权重为距离的钟形曲线。噪声和细纹理一并消除；σ 决定多粗的细节得以保留。Alpha 不变。</translation>
  </message>
  <message>
   <source>Replaces each pixel by the middle one of the sorted values of the square around it, channel by channel. Takes away salt and pepper and other single wrong pixels and keeps edges sharp; fine lines and corners get lost. Alpha passes unchanged.</source>
   <translation>逐通道把每个像素换成周围方形内排序后的中间值。消除椒盐噪声和其他孤立的错误像素，边缘保持锐利；细线和角会丢失。Alpha 不变。</translation>
  </message>
  <message>
   <source>Replaces each pixel by the plain mean of the square around it. Made from sums over rectangles, so that its cost does not depend on the radius. Leaves square traces around bright points; a Gaussian blur does not. Alpha passes unchanged.</source>
   <translation>把每个像素换成周围方形的简单均值。由矩形求和得到，开销与半径无关。会在亮点周围留下方形痕迹，高斯模糊则不会。Alpha 不变。</translation>
  </message>
  <message>
   <source>Replaces each pixel by the standard deviation, the variance or the range of the square around it, channel by channel: bright where there is texture, noise or an edge, black where all is alike. Shows how strong noise is and where. Alpha passes unchanged.</source>
   <translation>每个像素逐通道替换为其周围方形的标准差、方差或极差：有纹理、噪声或边缘处亮，均匀处黑。显示噪声有多强、在何处。Alpha 不变。</translation>
  </message>
  <message>
   <source>Report for a browser (*.html)</source>
   <translation>浏览器报告 (*.html)</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>重置</translation>
  </message>
  <message>
   <source>Reset %1</source>
   <translation>重置 %1</translation>
  </message>
  <message>
   <source>Reset &amp;layout</source>
   <translation>重置布局(&amp;L)</translation>
  </message>
  <message>
   <source>Reset all</source>
   <translation>全部重置</translation>
  </message>
  <message>
   <source>Reset look</source>
   <translation>重置外观</translation>
  </message>
  <message>
   <source>Reset to defaults</source>
   <translation>重置为默认值</translation>
  </message>
  <message>
   <source>Reset zoom</source>
   <translation>重置缩放</translation>
  </message>
  <message>
   <source>Reset, duplicate, move, remove, help</source>
   <translation>重置、复制一份、移动、移除、帮助</translation>
  </message>
  <message>
   <source>Resize</source>
   <translation>缩放</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>恢复</translation>
  </message>
  <message>
   <source>Restore session</source>
   <translation>恢复会话</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Result (stale)</source>
   <translation>结果（已过期）</translation>
  </message>
  <message>
   <source>Result (updating)</source>
   <translation>结果（更新中）</translation>
  </message>
  <message>
   <source>Result files of other machines or days, one or several (Ctrl+O)</source>
   <translation>其他机器或日期的结果文件，一个或多个 (Ctrl+O)</translation>
  </message>
  <message>
   <source>Results</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Results (*.json)</source>
   <translation>结果 (*.json)</translation>
  </message>
  <message>
   <source>Results agree: %1</source>
   <translation>结果一致：%1</translation>
  </message>
  <message>
   <source>Results beside the published figures</source>
   <translation>与已发表数据并列的结果</translation>
  </message>
  <message>
   <source>Results identical</source>
   <translation>结果相同</translation>
  </message>
  <message>
   <source>Results not compared yet</source>
   <translation>结果尚未比较</translation>
  </message>
  <message>
   <source>Results: this machine's runs and files</source>
   <translation>结果：本机的运行和文件</translation>
  </message>
  <message>
   <source>Return</source>
   <translation>回车</translation>
  </message>
  <message>
   <source>Ri&amp;ght</source>
   <translation>右侧(&amp;G)</translation>
  </message>
  <message>
   <source>Right
/ left</source>
   <translation>右
/ 左</translation>
  </message>
  <message>
   <source>Right
ms</source>
   <translation>右
ms</translation>
  </message>
  <message>
   <source>Right click</source>
   <translation>右键单击</translation>
  </message>
  <message>
   <source>Right click or typing</source>
   <translation>右键单击或输入</translation>
  </message>
  <message>
   <source>Right end
to end, ms</source>
   <translation>右端到
端，ms</translation>
  </message>
  <message>
   <source>Right: %1</source>
   <translation>右：%1</translation>
  </message>
  <message>
   <source>Rises and falls only where the points do, without overshoot</source>
   <translation>仅在各点升降之处升降，不会过冲</translation>
  </message>
  <message>
   <source>Roofline</source>
   <translation>屋顶线</translation>
  </message>
  <message>
   <source>Root mean squared error</source>
   <translation>均方根误差</translation>
  </message>
  <message>
   <source>Root of the mean squared difference</source>
   <translation>均方差的平方根</translation>
  </message>
  <message>
   <source>Rotate</source>
   <translation>旋转</translation>
  </message>
  <message>
   <source>Rotate by 180°</source>
   <translation>旋转 180°</translation>
  </message>
  <message>
   <source>Rotate by 270°</source>
   <translation>旋转 270°</translation>
  </message>
  <message>
   <source>Rotate by 90°</source>
   <translation>旋转 90°</translation>
  </message>
  <message>
   <source>Rotate in the image</source>
   <translation>在图像中旋转</translation>
  </message>
  <message>
   <source>Rounds</source>
   <translation>轮数</translation>
  </message>
  <message>
   <source>Rows</source>
   <translation>行</translation>
  </message>
  <message>
   <source>Rows are copied; nothing else is read</source>
   <translation>只复制行；不读其他内容</translation>
  </message>
  <message>
   <source>Rows of tiles</source>
   <translation>分块行数</translation>
  </message>
  <message>
   <source>Rows that are kept; 0: all that follow</source>
   <translation>保留的行数；0：其后全部</translation>
  </message>
  <message>
   <source>Rows, then columns</source>
   <translation>先行后列</translation>
  </message>
  <message>
   <source>Ru&amp;n again, compare</source>
   <translation>重新运行并比较(&amp;N)</translation>
  </message>
  <message>
   <source>Run again</source>
   <translation>重新运行</translation>
  </message>
  <message>
   <source>Run all methods</source>
   <translation>运行所有方法</translation>
  </message>
  <message>
   <source>Run all sizes</source>
   <translation>运行所有尺寸</translation>
  </message>
  <message>
   <source>Runs all experiments of the source texts on the chosen backends; what is chosen on the left stays</source>
   <translation>在所选设备上运行来源文献的全部实验；左侧的选择不变</translation>
  </message>
  <message>
   <source>Runs of pixels, found, joined and measured band by band; on the CPU</source>
   <translation>逐带查找、合并并测量像素游程；在 CPU 上</translation>
  </message>
  <message>
   <source>S&amp;tart</source>
   <translation>开始(&amp;T)</translation>
  </message>
  <message>
   <source>S(x, y) = sum of v(i, j) over i &lt;= x, j &lt;= y.
Colour: v = (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16.
32 bits unsigned if 255 w h &lt; 2^32 (65,535 w h for 16 bits), else 64 bits unsigned.</source>
   <translation>S(x, y) = 对 i &lt;= x、j &lt;= y 的 v(i, j) 求和。
彩色：v = (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16。
若 255 w h &lt; 2^32（16 位为 65,535 w h）用 32 位无符号，否则用 64 位无符号。</translation>
  </message>
  <message>
   <source>SD</source>
   <translation>标准差</translation>
  </message>
  <message>
   <source>SSIM</source>
   <translation>SSIM</translation>
  </message>
  <message>
   <source>SVG (*.svg)</source>
   <translation>SVG (*.svg)</translation>
  </message>
  <message>
   <source>SVG drawing (*.svg)</source>
   <translation>SVG 图 (*.svg)</translation>
  </message>
  <message>
   <source>SVG in the colours of the window (*.svg)</source>
   <translation>SVG，窗口配色 (*.svg)</translation>
  </message>
  <message>
   <source>Salt and pepper</source>
   <translation>椒盐</translation>
  </message>
  <message>
   <source>Salt and pepper on a gray image, then a Gaussian of sigma 1 and 5 × 5 taps; the Gaussian is timed</source>
   <translation>灰度图像加椒盐噪声，再做 σ 为 1、5 × 5 抽头的高斯；对高斯测时</translation>
  </message>
  <message>
   <source>Salt and pepper or Gaussian noise</source>
   <translation>椒盐噪声或高斯噪声</translation>
  </message>
  <message>
   <source>Salt and pepper: the share of pixels that are hit</source>
   <translation>椒盐：受影响像素的比例</translation>
  </message>
  <message>
   <source>Same place</source>
   <translation>相同位置</translation>
  </message>
  <message>
   <source>Same size</source>
   <translation>相同尺寸</translation>
  </message>
  <message>
   <source>Same variant</source>
   <translation>相同变体</translation>
  </message>
  <message>
   <source>Sample scene</source>
   <translation>示例场景</translation>
  </message>
  <message>
   <source>Sample value that is drawn black</source>
   <translation>显示为黑的样本值</translation>
  </message>
  <message>
   <source>Sample value that is drawn white</source>
   <translation>显示为白的样本值</translation>
  </message>
  <message>
   <source>Samples</source>
   <translation>样本数</translation>
  </message>
  <message>
   <source>Samples of each result</source>
   <translation>各结果的样本</translation>
  </message>
  <message>
   <source>Samples of one moment do not say how far another run would come out</source>
   <translation>同一时刻的样本不能说明另一次运行会如何</translation>
  </message>
  <message>
   <source>Samples that are infinite, of either sign</source>
   <translation>无穷的样本，正负皆计</translation>
  </message>
  <message>
   <source>Samples that are no numbers</source>
   <translation>不是数的样本</translation>
  </message>
  <message>
   <source>Saturation</source>
   <translation>饱和度</translation>
  </message>
  <message>
   <source>Save as CSV…</source>
   <translation>另存为 CSV…</translation>
  </message>
  <message>
   <source>Save as preset</source>
   <translation>存为预设</translation>
  </message>
  <message>
   <source>Save as preset…</source>
   <translation>存为预设…</translation>
  </message>
  <message>
   <source>Save as seen</source>
   <translation>按所见保存</translation>
  </message>
  <message>
   <source>Save as seen…</source>
   <translation>按所见保存…</translation>
  </message>
  <message>
   <source>Save c&amp;hart…</source>
   <translation>保存图表(&amp;H)…</translation>
  </message>
  <message>
   <source>Save counts as CSV…</source>
   <translation>计数存为 CSV…</translation>
  </message>
  <message>
   <source>Save histogram</source>
   <translation>保存直方图</translation>
  </message>
  <message>
   <source>Save objects</source>
   <translation>保存对象</translation>
  </message>
  <message>
   <source>Save picture</source>
   <translation>保存图片</translation>
  </message>
  <message>
   <source>Save picture as PNG…</source>
   <translation>图片存为 PNG…</translation>
  </message>
  <message>
   <source>Save picture as SVG…</source>
   <translation>图片存为 SVG…</translation>
  </message>
  <message>
   <source>Save picture…</source>
   <translation>保存图片…</translation>
  </message>
  <message>
   <source>Save pipe&amp;line as…</source>
   <translation>处理链另存为(&amp;L)…</translation>
  </message>
  <message>
   <source>Save pipeline</source>
   <translation>保存处理链</translation>
  </message>
  <message>
   <source>Save profile</source>
   <translation>保存剖面</translation>
  </message>
  <message>
   <source>Save region</source>
   <translation>保存区域</translation>
  </message>
  <message>
   <source>Save region…</source>
   <translation>保存区域…</translation>
  </message>
  <message>
   <source>Save resul&amp;t as…</source>
   <translation>结果另存为(&amp;T)…</translation>
  </message>
  <message>
   <source>Save result</source>
   <translation>保存结果</translation>
  </message>
  <message>
   <source>Save results</source>
   <translation>保存结果</translation>
  </message>
  <message>
   <source>Save s&amp;ession…</source>
   <translation>保存会话(&amp;E)…</translation>
  </message>
  <message>
   <source>Save session</source>
   <translation>保存会话</translation>
  </message>
  <message>
   <source>Save the values along the line</source>
   <translation>保存沿线的值</translation>
  </message>
  <message>
   <source>Saved %1</source>
   <translation>已保存 %1</translation>
  </message>
  <message>
   <source>Saved %1, but: %2.</source>
   <translation>已保存 %1，但：%2。</translation>
  </message>
  <message>
   <source>Saves the values along the line</source>
   <translation>保存沿线的值</translation>
  </message>
  <message>
   <source>Saving or copying</source>
   <translation>保存或复制</translation>
  </message>
  <message>
   <source>Scene</source>
   <translation>场景</translation>
  </message>
  <message>
   <source>Scharr</source>
   <translation>Scharr</translation>
  </message>
  <message>
   <source>Scope</source>
   <translation>示波器</translation>
  </message>
  <message>
   <source>Scope menu</source>
   <translation>示波器菜单</translation>
  </message>
  <message>
   <source>Scopes</source>
   <translation>示波器</translation>
  </message>
  <message>
   <source>Screen</source>
   <translation>滤色</translation>
  </message>
  <message>
   <source>Search</source>
   <translation>搜索</translation>
  </message>
  <message>
   <source>Search commands and keys</source>
   <translation>搜索命令和按键</translation>
  </message>
  <message>
   <source>Search operations</source>
   <translation>搜索运算</translation>
  </message>
  <message>
   <source>Search radius</source>
   <translation>搜索半径</translation>
  </message>
  <message>
   <source>Search the operations</source>
   <translation>搜索运算</translation>
  </message>
  <message>
   <source>Second image</source>
   <translation>第二图像</translation>
  </message>
  <message>
   <source>Second image (none open)</source>
   <translation>第二图像（未打开）</translation>
  </message>
  <message>
   <source>Second image: %1</source>
   <translation>第二图像：%1</translation>
  </message>
  <message>
   <source>Second parameter, downwards</source>
   <translation>第二参数，向下</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>种子</translation>
  </message>
  <message>
   <source>Select a row whose result is not that of one thread</source>
   <translation>请选择结果与单线程不同的一行</translation>
  </message>
  <message>
   <source>Select a step to see its controls.</source>
   <translation>选择一个步骤以显示其控件。</translation>
  </message>
  <message>
   <source>Select a step whose values to try.</source>
   <translation>请选择要试值的步骤。</translation>
  </message>
  <message>
   <source>Select re&amp;gion</source>
   <translation>选择区域(&amp;G)</translation>
  </message>
  <message>
   <source>Separable, constant memory</source>
   <translation>可分离，常量内存</translation>
  </message>
  <message>
   <source>Separable: a row pass and a column pass, kept together in the cache</source>
   <translation>可分离：行遍历和列遍历，一同留在缓存中</translation>
  </message>
  <message>
   <source>Series</source>
   <translation>系列</translation>
  </message>
  <message>
   <source>Series of the chart</source>
   <translation>图表的系列</translation>
  </message>
  <message>
   <source>Sessions (%1)</source>
   <translation>会话（%1）</translation>
  </message>
  <message>
   <source>Set all parameters of this step to their defaults</source>
   <translation>将此步骤的所有参数设为默认值</translation>
  </message>
  <message>
   <source>Set by &amp;hand…</source>
   <translation>手动设置(&amp;H)…</translation>
  </message>
  <message>
   <source>Set by hand</source>
   <translation>手动设置</translation>
  </message>
  <message>
   <source>Several tables side by side, added up at the end: equal neighbours do not wait for each other</source>
   <translation>多张并列的表，最后相加：相等的相邻像素不必互相等待</translation>
  </message>
  <message>
   <source>Sh&amp;ape of regions</source>
   <translation>区域形状(&amp;A)</translation>
  </message>
  <message>
   <source>Shape</source>
   <translation>形状</translation>
  </message>
  <message>
   <source>Shared memory, two stages</source>
   <translation>共享内存，两级</translation>
  </message>
  <message>
   <source>Sharp and smooth: for most images</source>
   <translation>锐利而平滑：适合多数图像</translation>
  </message>
  <message>
   <source>Sharpen</source>
   <translation>锐化</translation>
  </message>
  <message>
   <source>Sharpening</source>
   <translation>锐化</translation>
  </message>
  <message>
   <source>Sharpens by what a blur would take away</source>
   <translation>用模糊会去除的部分来锐化</translation>
  </message>
  <message>
   <source>Sharpest; rings slightly at edges</source>
   <translation>最锐利；边缘略有振铃</translation>
  </message>
  <message>
   <source>Shift and drag</source>
   <translation>Shift 加拖动</translation>
  </message>
  <message>
   <source>Shift and drag draws its outline; exactly its pixels count</source>
   <translation>按住 Shift 拖动绘制轮廓；只计其内的像素</translation>
  </message>
  <message>
   <source>Shift and drag draws one</source>
   <translation>按住 Shift 拖动绘制</translation>
  </message>
  <message>
   <source>Shift and drag draws one; exactly its pixels count</source>
   <translation>按住 Shift 拖动绘制；只计其内的像素</translation>
  </message>
  <message>
   <source>Shift and wheel</source>
   <translation>Shift 加滚轮</translation>
  </message>
  <message>
   <source>Shift and wheel, middle drag, Ctrl and arrows</source>
   <translation>Shift 加滚轮、中键拖动、Ctrl 加方向键</translation>
  </message>
  <message>
   <source>Shortcuts</source>
   <translation>快捷键</translation>
  </message>
  <message>
   <source>Show &amp;difference</source>
   <translation>显示差值(&amp;D)</translation>
  </message>
  <message>
   <source>Show a machine with a &amp;GPU</source>
   <translation>显示有 GPU 的机器(&amp;G)</translation>
  </message>
  <message>
   <source>Show all steps</source>
   <translation>显示全部步骤</translation>
  </message>
  <message>
   <source>Show all values, far ones too</source>
   <translation>显示所有值，包括很远的</translation>
  </message>
  <message>
   <source>Show benchmark</source>
   <translation>显示基准测试</translation>
  </message>
  <message>
   <source>Show by percentiles</source>
   <translation>按百分位显示</translation>
  </message>
  <message>
   <source>Show difference</source>
   <translation>显示差值</translation>
  </message>
  <message>
   <source>Show or hide %1</source>
   <translation>显示或隐藏 %1</translation>
  </message>
  <message>
   <source>Show the &amp;shipped results</source>
   <translation>显示附带的结果(&amp;S)</translation>
  </message>
  <message>
   <source>Show the source as an outline over the result</source>
   <translation>在结果上以轮廓显示原图</translation>
  </message>
  <message>
   <source>Show variants that are wrong on purpose</source>
   <translation>显示故意出错的变体</translation>
  </message>
  <message>
   <source>Show what a&amp;ll steps give</source>
   <translation>显示全部步骤的结果(&amp;L)</translation>
  </message>
  <message>
   <source>Show what all steps give</source>
   <translation>显示全部步骤的结果</translation>
  </message>
  <message>
   <source>Show what this step gives</source>
   <translation>显示此步骤的输出</translation>
  </message>
  <message>
   <source>Shown</source>
   <translation>显示</translation>
  </message>
  <message>
   <source>Shown by percentiles: over its full range the picture would be nearly black. Its samples are as they were.</source>
   <translation>按百分位显示：按全范围显示此图几乎全黑。样本未变。</translation>
  </message>
  <message>
   <source>Shown by percentiles: over its full range the picture would be nearly white. Its samples are as they were.</source>
   <translation>按百分位显示：按全范围显示此图几乎全白。样本未变。</translation>
  </message>
  <message>
   <source>Shows a scene that comes with the program</source>
   <translation>显示随程序附带的场景</translation>
  </message>
  <message>
   <source>Shows how much brightness changes around each pixel: edges are bright, even areas black. Horizontal and vertical show the change to the right and downwards, with its sign, around middle gray. Noise is change too: blur first where it covers the edges. Colour is seen by its luma; the result is gray.</source>
   <translation>显示每个像素周围亮度变化多大：边缘亮，均匀区域黑。水平和垂直显示向右和向下的变化，带正负号，以中灰为零。噪声也是变化：若淹没边缘，请先模糊。彩色按亮度处理；结果为灰度。</translation>
  </message>
  <message>
   <source>Side &amp;by side</source>
   <translation>并排(&amp;B)</translation>
  </message>
  <message>
   <source>Side by side</source>
   <translation>并排</translation>
  </message>
  <message>
   <source>Sigma</source>
   <translation>标准差 σ</translation>
  </message>
  <message>
   <source>Sigma of distance</source>
   <translation>距离 σ</translation>
  </message>
  <message>
   <source>Sigma of levels</source>
   <translation>级别 σ</translation>
  </message>
  <message>
   <source>Signed</source>
   <translation>带符号</translation>
  </message>
  <message>
   <source>Signed difference</source>
   <translation>带符号差值</translation>
  </message>
  <message>
   <source>Single pixels become white or black</source>
   <translation>单个像素变白或变黑</translation>
  </message>
  <message>
   <source>Single pixels: for labels</source>
   <translation>单个像素：用于标签</translation>
  </message>
  <message>
   <source>Single pixels: for labels and pixel art</source>
   <translation>单个像素：用于标签和像素画</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>尺寸</translation>
  </message>
  <message>
   <source>Size %1</source>
   <translation>尺寸 %1</translation>
  </message>
  <message>
   <source>Size of the result</source>
   <translation>结果的大小</translation>
  </message>
  <message>
   <source>Sizes, pixels</source>
   <translation>尺寸，像素</translation>
  </message>
  <message>
   <source>Skip above</source>
   <translation>跳过超过</translation>
  </message>
  <message>
   <source>Sliders</source>
   <translation>滑块</translation>
  </message>
  <message>
   <source>Small sigma</source>
   <translation>小 σ</translation>
  </message>
  <message>
   <source>Smaller image (Down)</source>
   <translation>更小的图像（下）</translation>
  </message>
  <message>
   <source>Smallest area</source>
   <translation>最小面积</translation>
  </message>
  <message>
   <source>Smooth</source>
   <translation>平滑</translation>
  </message>
  <message>
   <source>Smoothing</source>
   <translation>平滑</translation>
  </message>
  <message>
   <source>Smooths areas and keeps edges</source>
   <translation>平滑区域，保持边缘</translation>
  </message>
  <message>
   <source>Smooths with a Gaussian kernel</source>
   <translation>用高斯核平滑</translation>
  </message>
  <message>
   <source>So many at least, the first call and a warm-up not counted</source>
   <translation>至少这么多次，首次调用和预热不计</translation>
  </message>
  <message>
   <source>Sobel</source>
   <translation>Sobel</translation>
  </message>
  <message>
   <source>Soft, never beyond the levels around</source>
   <translation>柔和，从不超出周围级别</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>原图</translation>
  </message>
  <message>
   <source>Source</source>
   <comment>where it comes from</comment>
   <translation>来源</translation>
  </message>
  <message>
   <source>Source &amp;texts</source>
   <translation>来源文献(&amp;T)</translation>
  </message>
  <message>
   <source>Source and result are not the same pixels.</source>
   <translation>原图与结果的像素并不对应。</translation>
  </message>
  <message>
   <source>Source and result cannot be laid over each other.
The result %1; look at them side by side.</source>
   <translation>原图与结果无法重叠。
结果%1；请并排查看。</translation>
  </message>
  <message>
   <source>Source and result. F shows the whole image, plus and minus zoom, 1 to 6 choose the view, arrows pan, X puts a pixel cursor, R a region, L a line with its profile, Shift held shows the source.</source>
   <translation>原图和结果。F 显示整幅图像，加减号缩放，1 到 6 选择视图，方向键平移，X 放置像素光标，R 选区域，L 画线并显示剖面，按住 Shift 显示原图。</translation>
  </message>
  <message>
   <source>Source coordinates in fixed point. Bilinear of gray and of 8-bit colour: a vector of pixels at a time where all four taps are inside the image</source>
   <translation>用定点数计算源坐标。灰度和 8 位彩色的双线性：四个抽头均在图像之内处一次处理一个向量的像素</translation>
  </message>
  <message>
   <source>Source maximum</source>
   <translation>原图最大值</translation>
  </message>
  <message>
   <source>Source mean</source>
   <translation>原图均值</translation>
  </message>
  <message>
   <source>Source minimum</source>
   <translation>原图最小值</translation>
  </message>
  <message>
   <source>Source outline</source>
   <translation>原图轮廓</translation>
  </message>
  <message>
   <source>Source text</source>
   <translation>来源文献</translation>
  </message>
  <message>
   <source>Source texts</source>
   <translation>来源文献</translation>
  </message>
  <message>
   <source>Source, no result yet</source>
   <translation>原图，尚无结果</translation>
  </message>
  <message>
   <source>Source: %1</source>
   <translation>来源：%1</translation>
  </message>
  <message>
   <source>Space</source>
   <translation>空格</translation>
  </message>
  <message>
   <source>Speedup</source>
   <translation>加速比</translation>
  </message>
  <message>
   <source>Speedup against image size</source>
   <translation>加速比随图像尺寸的变化</translation>
  </message>
  <message>
   <source>Speedup against image size, both sides named</source>
   <translation>加速比随图像尺寸的变化，注明双方</translation>
  </message>
  <message>
   <source>Speedup against the best CPU</source>
   <translation>相对于最快 CPU 的加速比</translation>
  </message>
  <message>
   <source>Speedups</source>
   <translation>加速比</translation>
  </message>
  <message>
   <source>Speedups are first against the fastest that the CPU was measured to do the same with, whatever the variant, and are given only where results agree with those of one thread. %1</source>
   <translation>加速比首先相对于 CPU 完成同样工作的最快实测值，不论变体；仅在结果与单线程一致时给出。%1</translation>
  </message>
  <message>
   <source>Speedups need results of two sides that agree, such as one thread and all cores, and images large enough that more than one thread worked.</source>
   <translation>加速比需要两方一致的结果，如单线程和全部核心，且图像大到有多个线程参与工作。</translation>
  </message>
  <message>
   <source>Spoils an image in a way that is known exactly, to see what filters make of it. Salt and pepper turns single pixels white or black, all colours together; Gaussian noise shifts every sample by a little. The same seed gives the same noise on every machine, and a pixel's noise depends on its place in the whole image only. Alpha passes unchanged.</source>
   <translation>以精确已知的方式破坏图像，看滤波器如何处理。椒盐把个别像素变白或变黑，各颜色一起；高斯噪声使每个样本略有偏移。同一种子在每台机器上给出同样的噪声，像素的噪声只取决于它在整幅图像中的位置。Alpha 不变。</translation>
  </message>
  <message>
   <source>Spreads an image over all levels: black and white are set to where its histogram begins and ends, an even black or white surround aside</source>
   <translation>把图像展开到全部灰度级：黑与白设在直方图的起点和终点，均匀的黑色或白色外围不计</translation>
  </message>
  <message>
   <source>Spreads grey levels evenly over the whole range</source>
   <translation>把灰度级均匀铺开到整个范围</translation>
  </message>
  <message>
   <source>Spreads what there is over all levels, brings out what is in the dark, and then takes the noise away: before, even areas would have steps</source>
   <translation>把已有内容展开到全部灰度级，显出暗处，然后去除噪点：若先去噪，均匀区域会出现色阶断层</translation>
  </message>
  <message>
   <source>Square</source>
   <translation>方形</translation>
  </message>
  <message>
   <source>Square and cross: rows by minima over 2, 4, 8, ... samples, columns by minima to the end and from the start of blocks of 2 radius + 1 rows, so that the cost does not grow with the radius. Disk: two minima of a power of two a row of the disk</source>
   <translation>方形和十字：行用 2、4、8……个样本的最小值，列用 2 × 半径 + 1 行分块内到块尾和从块首的最小值，因此代价不随半径增长。圆盘：其每行取两个 2 的幂长度的最小值</translation>
  </message>
  <message>
   <source>Squared</source>
   <translation>平方</translation>
  </message>
  <message>
   <source>St&amp;eps</source>
   <translation>步骤(&amp;E)</translation>
  </message>
  <message>
   <source>Standard deviation</source>
   <translation>标准差</translation>
  </message>
  <message>
   <source>Standard deviation of all samples</source>
   <translation>所有样本的标准差</translation>
  </message>
  <message>
   <source>Standard deviation of the bell curve</source>
   <translation>钟形曲线的标准差</translation>
  </message>
  <message>
   <source>Standard deviation of the bell curve of differences, in 8-bit levels: smaller keeps fainter edges</source>
   <translation>级别差钟形曲线的标准差，以 8 位级别计：越小越能保留微弱边缘</translation>
  </message>
  <message>
   <source>Standard deviation of the bell curve of distances</source>
   <translation>距离钟形曲线的标准差</translation>
  </message>
  <message>
   <source>Standard deviation of the blur: how coarse the detail is</source>
   <translation>模糊的标准差：细节有多粗</translation>
  </message>
  <message>
   <source>Statistics</source>
   <translation>统计</translation>
  </message>
  <message>
   <source>Statistics %1</source>
   <translation>统计 %1</translation>
  </message>
  <message>
   <source>Statistics are being counted.</source>
   <translation>正在统计。</translation>
  </message>
  <message>
   <source>Statistics of all samples, %1 × %2 pixels</source>
   <translation>所有样本的统计，%1 × %2 像素</translation>
  </message>
  <message>
   <source>Statistics of source and result</source>
   <translation>原图与结果的统计</translation>
  </message>
  <message>
   <source>Statistics of the region, %1 × %2 pixels at %3, %4</source>
   <translation>区域的统计，%1 × %2 像素，位于 %3, %4</translation>
  </message>
  <message>
   <source>Steady</source>
   <translation>稳定</translation>
  </message>
  <message>
   <source>Step %1 cannot run: %2</source>
   <translation>步骤 %1 无法运行：%2</translation>
  </message>
  <message>
   <source>Step %1: %2</source>
   <translation>步骤 %1：%2</translation>
  </message>
  <message>
   <source>Step menu</source>
   <translation>步骤菜单</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>步骤</translation>
  </message>
  <message>
   <source>Steps of the last time</source>
   <translation>上次的步骤</translation>
  </message>
  <message>
   <source>Steps of the last time that were not saved are here again: %1.</source>
   <translation>上次未保存的步骤已恢复：%1。</translation>
  </message>
  <message>
   <source>Stopped before the end:</source>
   <translation>提前停止：</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>已停止。</translation>
  </message>
  <message>
   <source>Stops: each doubles what lies above black</source>
   <translation>挡：每挡使黑以上的值加倍</translation>
  </message>
  <message>
   <source>Straight</source>
   <translation>直线</translation>
  </message>
  <message>
   <source>Straight lines</source>
   <translation>直线</translation>
  </message>
  <message>
   <source>Strength</source>
   <translation>强度</translation>
  </message>
  <message>
   <source>Structural similarity, Gaussian window of 11 × 11 pixels, of a full scale of %1; 1: the same. RGB has the mean of its three.</source>
   <translation>结构相似性，11 × 11 像素高斯窗，满量程 %1；1 表示完全相同。RGB 行为三个通道的平均值。</translation>
  </message>
  <message>
   <source>Subtract</source>
   <translation>相减</translation>
  </message>
  <message>
   <source>Subtracting …</source>
   <translation>正在相减 …</translation>
  </message>
  <message>
   <source>Sums every patch anew for every offset: (2 s + 1)^2 (2 r + 1)^2 squared differences a pixel. CPU: plain code, for comparison</source>
   <translation>对每个偏移重新累加每块：每像素 (2 s + 1)^2 (2 r + 1)^2 次平方差。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>Sums of all samples above and to the left</source>
   <translation>上方和左侧全部样本之和</translation>
  </message>
  <message>
   <source>Sums of values and squares that move along rows and columns, so that the cost does not grow with the radius; the range by minima and maxima of blocks. Float: sums of each window anew, which no value outside can touch; their cost grows with the radius</source>
   <translation>值与平方的和沿行和列移动，因此代价不随半径增长；极差用分块的最小值和最大值。浮点：每个窗口重新求和，不受窗口之外的值影响；代价随半径增长</translation>
  </message>
  <message>
   <source>Sums over 1, 2, 4, ... neighbours, first along rows, then along columns, make up every window in an order of its own, so that no value outside reaches it. Additions grow with the logarithm of the radius alone; on the CPU time also grows with the radius itself, by margins and by sums that wait in memory</source>
   <translation>先沿行、再沿列对 1、2、4……个邻近像素求和，按各自次序拼成每个窗口，因此不受窗口之外的值影响。加法次数仅随半径的对数增长；在 CPU 上，由于边缘部分和在内存中等待的和，时间还随半径本身增长</translation>
  </message>
  <message>
   <source>Sums over squares as for the box mean; no means are made, so that nothing is rounded</source>
   <translation>与方框均值相同的方形求和；不求均值，因此不取整</translation>
  </message>
  <message>
   <source>Sums within a row by vectors and adds the row above in the same pass; several threads first sum the columns of each band (reduce, then scan). Each output is written once</source>
   <translation>行内用向量求和，同一遍加上上一行；多线程时先求各带的列和（先归约，再扫描）。每个输出只写一次</translation>
  </message>
  <message>
   <source>Swap keys</source>
   <translation>交换快捷键</translation>
  </message>
  <message>
   <source>Sweep</source>
   <translation>扫描</translation>
  </message>
  <message>
   <source>Sweep a parameter</source>
   <translation>扫描参数</translation>
  </message>
  <message>
   <source>T&amp;hen</source>
   <translation>先前(&amp;H)</translation>
  </message>
  <message>
   <source>T. Sun, Y. Neuvo, Detail-preserving median based filters, 1994</source>
   <translation>T. Sun, Y. Neuvo, Detail-preserving median based filters, 1994</translation>
  </message>
  <message>
   <source>TIFF could not be written: %1</source>
   <translation>无法写入 TIFF：%1</translation>
  </message>
  <message>
   <source>TIFF with %1 is not read</source>
   <translation>不读取含%1的 TIFF</translation>
  </message>
  <message>
   <source>TIFF with channels of different sizes or kinds is not read</source>
   <translation>不读取各通道大小或种类不同的 TIFF</translation>
  </message>
  <message>
   <source>Tab, Insert</source>
   <translation>Tab、Insert</translation>
  </message>
  <message>
   <source>Table</source>
   <translation>表格</translation>
  </message>
  <message>
   <source>Tables for each of red, green and blue: also removes colour casts, shifts hues</source>
   <translation>红、绿、蓝各一张表：也会消除偏色，并改变色相</translation>
  </message>
  <message>
   <source>Tables of luma; red, green and blue are scaled together, so that hues stay until a channel reaches white</source>
   <translation>亮度的表；红、绿、蓝一起缩放，因此在某通道达到白之前色相不变</translation>
  </message>
  <message>
   <source>Takes away hot and dead pixels, salt and pepper and other outliers and leaves the rest exactly as it was: a pixel becomes the median of the square around it only where it differs from that by more than the threshold. Alpha passes unchanged.</source>
   <translation>去除热点和坏点、椒盐及其他离群值，其余完全不变：像素仅在与其周围方形的中值之差大于阈值时才变为该中值。Alpha 不变。</translation>
  </message>
  <message>
   <source>Takes each pixel as a line a Y + b of the luma Y, fitted over every square that holds it: where the image varies much more than epsilon, a is near 1 and all stays; where it varies less, a is near 0 and the mean is left. Smooths areas without softening strong edges, and without the stairs and the reversed edges of a bilateral filter. Its cost grows far more slowly than the area of the square. All colours follow the luma, so that edges between colours of the same brightness become soft. Alpha passes unchanged.</source>
   <translation>把每个像素表示为亮度 Y 的直线 a Y + b，在包含它的每个方形上拟合：图像变化远大于 epsilon 处，a 接近 1，一切保留；变化较小处，a 接近 0，只剩均值。平滑区域而不软化强边缘，也没有双边滤波的阶梯和反转边缘。代价的增长远慢于方形的面积。各颜色均跟随亮度，因此同亮度颜色之间的边缘会变软。Alpha 不变。</translation>
  </message>
  <message>
   <source>Takes noise away by averaging pixels whose neighbourhoods look alike</source>
   <translation>对邻域相似的像素取平均以消除噪声</translation>
  </message>
  <message>
   <source>Takes the selected results out of the window; files stay (Delete)</source>
   <translation>从窗口中移除所选结果；文件保留 (Delete)</translation>
  </message>
  <message>
   <source>Test strip</source>
   <translation>试条</translation>
  </message>
  <message>
   <source>Test strip: %1</source>
   <translation>试条：%1</translation>
  </message>
  <message>
   <source>Test strip…</source>
   <translation>试条…</translation>
  </message>
  <message>
   <source>The 95% interval of this median is %1 of it wide, above %2: so far do the rounds of this run scatter. Its speedups are ranges, and it takes no part in break-even.</source>
   <translation>此中位数的 95% 区间宽度为其 %1，超过 %2：本次运行各轮的离散程度如此。其加速比为范围，且不参与平衡点。</translation>
  </message>
  <message>
   <source>The Gaussian blur at its best; CPU, 8 and 16 bits: sharpened while in the cache</source>
   <translation>以最佳方式做高斯模糊；CPU 上 8 位和 16 位的各行趁还在缓存中时锐化</translation>
  </message>
  <message>
   <source>The benchmark stopped: %1</source>
   <translation>基准测试已停止：%1</translation>
  </message>
  <message>
   <source>The benchmark window computes a difference. Until it is done no filter runs here and no image is opened.</source>
   <translation>基准测试窗口正在计算差值。完成之前此处不运行滤波器，也不打开图像。</translation>
  </message>
  <message>
   <source>The benchmark window measures. Until it is done no filter runs here and no image is opened, so that nothing disturbs its figures.</source>
   <translation>基准测试窗口正在测量。完成之前此处不运行滤波器，也不打开图像，以免干扰数据。</translation>
  </message>
  <message>
   <source>The blue samples</source>
   <translation>蓝色样本</translation>
  </message>
  <message>
   <source>The brighter one</source>
   <translation>较亮者</translation>
  </message>
  <message>
   <source>The chart as PNG or SVG</source>
   <translation>图表存为 PNG 或 SVG</translation>
  </message>
  <message>
   <source>The circle of hues; both ends meet</source>
   <translation>色环；两端相接</translation>
  </message>
  <message>
   <source>The colours from the lowest level to the highest</source>
   <translation>从最低级别到最高级别的颜色</translation>
  </message>
  <message>
   <source>The command line that measured these results</source>
   <translation>测得这些结果的命令行</translation>
  </message>
  <message>
   <source>The command line that measures this point again</source>
   <translation>重新测量此点的命令行</translation>
  </message>
  <message>
   <source>The command that made it:</source>
   <translation>生成它的命令：</translation>
  </message>
  <message>
   <source>The conditions were not recorded.</source>
   <translation>未记录环境。</translation>
  </message>
  <message>
   <source>The corners too</source>
   <translation>也含四角</translation>
  </message>
  <message>
   <source>The cumulative histogram as it is: the darkest level present moves up by its own share</source>
   <translation>累积直方图原样：出现的最暗级别按自身份额上移</translation>
  </message>
  <message>
   <source>The darker one</source>
   <translation>较暗者</translation>
  </message>
  <message>
   <source>The darkest level present becomes 0: the whole range is used</source>
   <translation>出现的最暗级别变为 0：用满整个范围</translation>
  </message>
  <message>
   <source>The difference is in the main window.</source>
   <translation>差值在主窗口中。</translation>
  </message>
  <message>
   <source>The earlier run</source>
   <translation>较早的运行</translation>
  </message>
  <message>
   <source>The eight orientations of Exif</source>
   <translation>Exif 的八种方向</translation>
  </message>
  <message>
   <source>The exact square, a whole number</source>
   <translation>精确的平方，整数</translation>
  </message>
  <message>
   <source>The experiments of the source texts, their figures beside ours</source>
   <translation>来源文献的实验，其数据与我们的并列</translation>
  </message>
  <message>
   <source>The first half of a block's threads adds the table of the block up as soon as it has counted its own pixels, without waiting for the others: what these count is lost, another part of it at every run on a GPU. The CPU shows the worst case, half of every 2,048 pixels of a row. 8 bits</source>
   <translation>块内前一半线程数完自己的像素就立刻累加块的表，不等其他线程：其他线程的计数丢失，在 GPU 上每次运行丢失的部分不同。CPU 显示最坏情况：一行中每 2,048 个像素丢失一半。8 位</translation>
  </message>
  <message>
   <source>The five-point and nine-point stencils of the Laplace operator</source>
   <translation>拉普拉斯算子的五点和九点模板</translation>
  </message>
  <message>
   <source>The foot of the slope from the fullest level to the far end</source>
   <translation>从最满级别到远端的斜坡的坡脚</translation>
  </message>
  <message>
   <source>The green samples</source>
   <translation>绿色样本</translation>
  </message>
  <message>
   <source>The grid has width / 32 by height / 32 blocks of 32 x 32 threads, without rounding up: pixels beyond the last whole block have no thread and stay black. Right where both sides are multiples of 32, as test images like to be. 8 and 16 bits. CPU: plain code, for comparison</source>
   <translation>网格为 width / 32 乘 height / 32 个 32 x 32 线程块，未向上取整：最后一个完整块之外的像素没有线程，保持黑色。两边都是 32 的倍数时正确，测试图像往往如此。8 位和 16 位。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>The histogram of a gray image is spread over all levels</source>
   <translation>把灰度图像的直方图铺开到所有级别</translation>
  </message>
  <message>
   <source>The image as it was opened</source>
   <translation>打开时的图像</translation>
  </message>
  <message>
   <source>The image at hand</source>
   <translation>当前图像</translation>
  </message>
  <message>
   <source>The image at hand (none is open)</source>
   <translation>当前图像（未打开）</translation>
  </message>
  <message>
   <source>The image at hand, %1 × %2</source>
   <translation>当前图像，%1 × %2</translation>
  </message>
  <message>
   <source>The image is too small to share out among all threads that were offered</source>
   <translation>图像太小，不足以分给提供的全部线程</translation>
  </message>
  <message>
   <source>The image minus what opening leaves</source>
   <translation>图像减去开运算的结果</translation>
  </message>
  <message>
   <source>The image shows what step %1 gives, %2. Later steps are left out, also of what is saved.</source>
   <translation>图像显示步骤 %1（%2）的输出。其后的步骤不计入，保存时也不计入。</translation>
  </message>
  <message>
   <source>The image shows what this step gives.</source>
   <translation>图像显示此步骤的输出。</translation>
  </message>
  <message>
   <source>The input where the second image is bright, else black</source>
   <translation>第二图像亮处取输入，其余为黑</translation>
  </message>
  <message>
   <source>The language changes when Warpscope is started the next time.</source>
   <translation>语言将在下次启动 Warpscope 时更改。</translation>
  </message>
  <message>
   <source>The largest of the three</source>
   <translation>三者中的最大值</translation>
  </message>
  <message>
   <source>The largest of the three channels: the V of HSV</source>
   <translation>三个通道中的最大值：HSV 的 V</translation>
  </message>
  <message>
   <source>The largest value: bright things grow</source>
   <translation>最大值：亮物变大</translation>
  </message>
  <message>
   <source>The last run of the chain: each piece of work where it began and as long as it lasted. CPU: wall time. GPU: between device events, counted from when the first of its work was queued; the kernels of an operation stand below it, their times are part of its own. Draw: from the result's arrival in the window to the end of the paint that showed it.</source>
   <translation>处理链的上一次运行：各项工作从何时开始、持续多久。CPU：实际时间。GPU：设备事件之间，自首项工作排队起算；运算的内核列在其下，时间是它的一部分。绘制：从结果到达窗口到显示它的绘制结束。</translation>
  </message>
  <message>
   <source>The last session ended unexpectedly (%1).</source>
   <translation>上次会话意外结束（%1）。</translation>
  </message>
  <message>
   <source>The last session ended unexpectedly (%1). It had: %2.</source>
   <translation>上次会话意外结束（%1）。内容：%2。</translation>
  </message>
  <message>
   <source>The later run</source>
   <translation>较晚的运行</translation>
  </message>
  <message>
   <source>The level of the first colour</source>
   <translation>首个颜色对应的级别</translation>
  </message>
  <message>
   <source>The level of the last colour</source>
   <translation>末个颜色对应的级别</translation>
  </message>
  <message>
   <source>The level that is given</source>
   <translation>给定的级别</translation>
  </message>
  <message>
   <source>The levels of a gray image are counted; no step changes the image</source>
   <translation>统计灰度图像的级别；没有步骤改变图像</translation>
  </message>
  <message>
   <source>The levels of every photo editor</source>
   <translation>照片编辑软件通用的色阶</translation>
  </message>
  <message>
   <source>The light part of a GPU bar is upload, download and waiting</source>
   <translation>GPU 条的浅色部分为上传、下载和等待</translation>
  </message>
  <message>
   <source>The list of series beside the chart</source>
   <translation>图表旁的系列列表</translation>
  </message>
  <message>
   <source>The look at step %1 leaves this step out: it is not timed.</source>
   <translation>正在查看步骤 %1，此步骤未计入：不测量用时。</translation>
  </message>
  <message>
   <source>The machine is busy: other programs take %1 % of it. These figures are doubtful.</source>
   <translation>机器繁忙：其他程序占用 %1 %。这些数值不可靠。</translation>
  </message>
  <message>
   <source>The mean of the image</source>
   <translation>图像的均值</translation>
  </message>
  <message>
   <source>The mean of the three channels</source>
   <translation>三个通道的均值</translation>
  </message>
  <message>
   <source>The mean of what a pixel covers</source>
   <translation>像素所覆盖部分的均值</translation>
  </message>
  <message>
   <source>The median at its best, then one pass over both images</source>
   <translation>最佳的中值滤波，再对两幅图像处理一遍</translation>
  </message>
  <message>
   <source>The median, but only where a pixel is far from it</source>
   <translation>中值，但仅用于与之相差很大的像素</translation>
  </message>
  <message>
   <source>The name %1 stays: %2 takes its second input from there.</source>
   <translation>名称 %1 保留：%2 由此取得第二输入。</translation>
  </message>
  <message>
   <source>The nearest pixel of the image is repeated</source>
   <translation>重复图像中最近的像素</translation>
  </message>
  <message>
   <source>The negative</source>
   <translation>负片</translation>
  </message>
  <message>
   <source>The old rainbow: has edges where the image has none</source>
   <translation>旧式彩虹：会显示图像中没有的边缘</translation>
  </message>
  <message>
   <source>The photographic negative</source>
   <translation>照相负片</translation>
  </message>
  <message>
   <source>The picture is gray: %1 was not recorded in colour.</source>
   <translation>图像为灰度：%1 没有彩色的记录。</translation>
  </message>
  <message>
   <source>The pictures show %1 × %2 pixels at (%3, %4); at the left as they are now</source>
   <translation>图片显示位于 (%3, %4) 的 %1 × %2 像素；左侧为当前效果</translation>
  </message>
  <message>
   <source>The presets of %1 are damaged and were left out</source>
   <translation>%1 的预设已损坏，已略去</translation>
  </message>
  <message>
   <source>The published figures were measured by their authors, elsewhere, on other hardware (named at each row). They stand here for a sense of proportion and are never one side of a speedup.</source>
   <translation>已发表的数据由其作者在别处、用其他硬件（各行注明）测得。列在此处只供了解量级，绝不作为加速比的一方。</translation>
  </message>
  <message>
   <source>The rainbow, without its false edges</source>
   <translation>彩虹，但没有虚假边缘</translation>
  </message>
  <message>
   <source>The red samples</source>
   <translation>红色样本</translation>
  </message>
  <message>
   <source>The region lies outside of this image</source>
   <translation>区域在此图像之外</translation>
  </message>
  <message>
   <source>The region lies outside the result.</source>
   <translation>区域在结果之外。</translation>
  </message>
  <message>
   <source>The region lies outside the result: there is nothing to save.</source>
   <translation>区域在结果之外：没有可保存的内容。</translation>
  </message>
  <message>
   <source>The result is not complete yet.</source>
   <translation>结果尚未完成。</translation>
  </message>
  <message>
   <source>The result is not up to date. It is saved as soon as it is.</source>
   <translation>结果不是最新。更新后立即保存。</translation>
  </message>
  <message>
   <source>The result is saved as soon as it is complete.</source>
   <translation>结果完成后立即保存。</translation>
  </message>
  <message>
   <source>The result is the source itself.</source>
   <translation>结果就是原图本身。</translation>
  </message>
  <message>
   <source>The roofline needs results with the machine's copy bandwidth or its arithmetic peak.</source>
   <translation>屋顶线需要含机器复制带宽或算术峰值的结果。</translation>
  </message>
  <message>
   <source>The root of the mean squared deviation, in levels</source>
   <translation>均方差的平方根，以级别计</translation>
  </message>
  <message>
   <source>The same algorithm: all cores and GPU against their variant on one thread</source>
   <translation>同一算法：全部核心和 GPU 对比其变体在单线程上</translation>
  </message>
  <message>
   <source>The same algorithm: the GPU against its variant on all cores of the CPU</source>
   <translation>同一算法：GPU 对比其变体在 CPU 全部核心上</translation>
  </message>
  <message>
   <source>The same benchmark twice: which figures came out again</source>
   <translation>同一基准测试做两次：哪些数据得以重现</translation>
  </message>
  <message>
   <source>The same input again and again</source>
   <translation>反复使用同一输入</translation>
  </message>
  <message>
   <source>The sample that %1 % of all reach or lie below</source>
   <translation>有 %1 % 的样本不大于此值</translation>
  </message>
  <message>
   <source>The samples are taken in so many bursts with other results between them: only what repeats at different moments says how sure a figure is. 1: all at once</source>
   <translation>样本分成这么多批采集，其间插入其他结果：只有在不同时刻重现的才能说明数据有多可靠。1：一次全部</translation>
  </message>
  <message>
   <source>The samples of each row were taken at one moment, without rounds. Its figure is their median. How far another run would come out is not known: there are no intervals, and no row is marked noisy.</source>
   <translation>每行的样本在同一时刻取得，没有分轮。其数字为样本的中位数。另一次运行会差多少未知：没有区间，也没有行标为波动大。</translation>
  </message>
  <message>
   <source>The second derivative of brightness: bright at fine lines, dots and on both sides of edges, black where brightness is even or rises evenly. A sharp image has much of it, a blurred one little. It answers to noise more than the gradient does. Colour is seen by its luma; the result is gray.</source>
   <translation>亮度的二阶导数：细线、点和边缘两侧亮，亮度均匀或匀速变化处黑。锐利图像中多，模糊图像中少。对噪声比梯度更敏感。彩色按亮度处理；结果为灰度。</translation>
  </message>
  <message>
   <source>The second image, b in the formula</source>
   <translation>第二图像，公式中的 b</translation>
  </message>
  <message>
   <source>The second image; opacity fades from one to the other</source>
   <translation>第二图像；不透明度使其淡入淡出</translation>
  </message>
  <message>
   <source>The selected results as JSON, CSV or Markdown (Ctrl+S)</source>
   <translation>所选结果存为 JSON、CSV 或 Markdown (Ctrl+S)</translation>
  </message>
  <message>
   <source>The selected row's image against that of one thread, both computed again, in the main window</source>
   <translation>所选行的图像对比单线程的图像，均重新计算，显示在主窗口</translation>
  </message>
  <message>
   <source>The selected rows, or all, as text with tabs (Ctrl+C)</source>
   <translation>所选的行或全部行，为制表符分隔的文本 (Ctrl+C)</translation>
  </message>
  <message>
   <source>The session is here again</source>
   <translation>会话已恢复</translation>
  </message>
  <message>
   <source>The session is here again, but: %1.</source>
   <translation>会话已恢复，但：%1。</translation>
  </message>
  <message>
   <source>The settings file could not be read. It was kept as %1, and the defaults are used.</source>
   <translation>设置文件无法读取。已保留为 %1，并使用默认值。</translation>
  </message>
  <message>
   <source>The share of noise, 5%, is ours</source>
   <translation>噪声比例 5% 为我们所定</translation>
  </message>
  <message>
   <source>The size; without a choice as on the other side</source>
   <translation>尺寸；不选则与另一侧相同</translation>
  </message>
  <message>
   <source>The smallest value: bright things shrink</source>
   <translation>最小值：亮物变小</translation>
  </message>
  <message>
   <source>The square has a side of 2 radius + 1 pixels</source>
   <translation>方形边长为 2 半径 + 1 像素</translation>
  </message>
  <message>
   <source>The square has a side of 2 radius + 1 pixels; 0 changes nothing</source>
   <translation>方形边长为 2 半径 + 1 像素；0 不改变</translation>
  </message>
  <message>
   <source>The steps are not saved. Close again to close all the same.</source>
   <translation>步骤尚未保存。再次关闭则仍然关闭。</translation>
  </message>
  <message>
   <source>The sum is cut off, not rounded: half of all weighted pixels and a third of all averages come out one level too dark, which no eye sees. The maximum has nothing to round. 8 and 16 bits. CPU: plain code, for comparison</source>
   <translation>和被截断而非取整：一半的加权像素和三分之一的平均值暗一级，肉眼看不出。最大值无需取整。8 位和 16 位。CPU：普通代码，供比较</translation>
  </message>
  <message>
   <source>The value in the middle, the (n + 1) / 2-th smallest, of the n = (2 r + 1)^2 values of the square; exact. NaN is larger than all.
Beyond the border the edge pixel is repeated.</source>
   <translation>n = (2 r + 1)^2 个方形内的值的中间值，即第 (n + 1) / 2 小者；精确。NaN 大于一切。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>The variant; without a choice as on the other side</source>
   <translation>变体；不选则与另一侧相同</translation>
  </message>
  <message>
   <source>The wheel zooms, F fits the picture</source>
   <translation>滚轮缩放，F 适合窗口</translation>
  </message>
  <message>
   <source>The whole chain in its last run: %1 from the source in memory to the result in memory.</source>
   <translation>整个处理链的上一次运行：从内存中的原图到内存中的结果共 %1。</translation>
  </message>
  <message>
   <source>Then, ms</source>
   <translation>先前，ms</translation>
  </message>
  <message>
   <source>There is no image in %1.</source>
   <translation>%1 中没有图像。</translation>
  </message>
  <message>
   <source>There is no picture in the clipboard.</source>
   <translation>剪贴板中没有图片。</translation>
  </message>
  <message>
   <source>There is no region: Shift and drag in the image makes one.</source>
   <translation>没有区域：在图像中 Shift 加拖动可选出。</translation>
  </message>
  <message>
   <source>There is no result yet</source>
   <translation>尚无结果</translation>
  </message>
  <message>
   <source>These levels are all that there are: with them what comes in is given back. A picture that uses all of them has nothing to stretch</source>
   <translation>这已是全部灰度级：输入会原样输出。用满全部灰度级的图片没有可展开之处</translation>
  </message>
  <message>
   <source>These two have no figure in common.</source>
   <translation>这两者没有共同的数据。</translation>
  </message>
  <message>
   <source>Things apart from their ground, without specks. Invert is on where they are darker than it; if the ground is counted, switch it over. In uneven light put Morphology, top hat, wider than a thing before it</source>
   <translation>把物体与背景分开，不含杂点。物体比背景暗时“反相”已打开；若数的是背景，请切换它。光照不均时先加“形态学”的顶帽，半径大于物体</translation>
  </message>
  <message>
   <source>This level and those above become the new white</source>
   <translation>此级别及以上变为新的白</translation>
  </message>
  <message>
   <source>This level and those below become the new black</source>
   <translation>此级别及以下变为新的黑</translation>
  </message>
  <message>
   <source>This machine: %1</source>
   <translation>本机：%1</translation>
  </message>
  <message>
   <source>This row was not compared with anything</source>
   <translation>此行未与任何结果比较</translation>
  </message>
  <message>
   <source>This row's result is identical</source>
   <translation>此行的结果相同</translation>
  </message>
  <message>
   <source>This step alone: %1 for its kernels in the last run</source>
   <translation>仅此步骤：上一次运行中内核用时 %1</translation>
  </message>
  <message>
   <source>This step alone: %1 for its kernels, median of %2 repeated runs</source>
   <translation>仅此步骤：内核用时 %1，%2 次重复运行的中位数</translation>
  </message>
  <message>
   <source>This step alone: %1 in the last run</source>
   <translation>仅此步骤：上一次运行用时 %1</translation>
  </message>
  <message>
   <source>This step alone: %1, median of %2 repeated runs</source>
   <translation>仅此步骤：%1，%2 次重复运行的中位数</translation>
  </message>
  <message>
   <source>This step has no values to try.</source>
   <translation>此步骤没有可试的值。</translation>
  </message>
  <message>
   <source>This step is off: it is not timed.</source>
   <translation>此步骤已关闭：不测时。</translation>
  </message>
  <message>
   <source>This step is passed over: it is not timed.</source>
   <translation>此步骤被略过：不测时。</translation>
  </message>
  <message>
   <source>Those that came out again, too</source>
   <translation>包括重现的数据</translation>
  </message>
  <message>
   <source>Threads</source>
   <translation>线程</translation>
  </message>
  <message>
   <source>Threads stay on their cores</source>
   <translation>线程固定在各自的核心</translation>
  </message>
  <message>
   <source>Threads: %1</source>
   <translation>线程：%1</translation>
  </message>
  <message>
   <source>Threshold</source>
   <translation>阈值</translation>
  </message>
  <message>
   <source>Tiles across</source>
   <translation>横向块数</translation>
  </message>
  <message>
   <source>Tiles down</source>
   <translation>纵向块数</translation>
  </message>
  <message>
   <source>Tiles that fit a cache are turned one by one</source>
   <translation>逐个转动装得进缓存的图块</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>Time against a parameter</source>
   <translation>时间随参数的变化</translation>
  </message>
  <message>
   <source>Time against a parameter, where one was swept</source>
   <translation>时间随参数的变化（扫描过参数时）</translation>
  </message>
  <message>
   <source>Time against a parameter: choose one under Sweep at the left, or open results of warpscope-cli bench --sweep.</source>
   <translation>时间随参数的变化：请在左侧“扫描”下选择参数，或打开 warpscope-cli bench --sweep 的结果。</translation>
  </message>
  <message>
   <source>Time against image size</source>
   <translation>时间随图像尺寸的变化</translation>
  </message>
  <message>
   <source>Time for each</source>
   <translation>每个结果的时间</translation>
  </message>
  <message>
   <source>Timed on a part of the image: all of it would take too much memory.</source>
   <translation>仅对图像的一部分测时：对整幅图像测时会占用过多内存。</translation>
  </message>
  <message>
   <source>Times in ms</source>
   <translation>时间，ms</translation>
  </message>
  <message>
   <source>Times one operation alone with many values of one number, at the chosen sizes</source>
   <translation>以所选尺寸，单独测量一种运算在某个数取多个值时的用时</translation>
  </message>
  <message>
   <source>Timings</source>
   <translation>用时</translation>
  </message>
  <message>
   <source>Timings as bars</source>
   <translation>用时条形图</translation>
  </message>
  <message>
   <source>Timings of the selected step</source>
   <translation>所选步骤的用时</translation>
  </message>
  <message>
   <source>To</source>
   <translation>到</translation>
  </message>
  <message>
   <source>Tone</source>
   <translation>色调</translation>
  </message>
  <message>
   <source>Too bright and too dark ones</source>
   <translation>过亮的和过暗的</translation>
  </message>
  <message>
   <source>Too noisy for a factor</source>
   <translation>波动过大，不给出倍数</translation>
  </message>
  <message>
   <source>Tools</source>
   <translation>工具</translation>
  </message>
  <message>
   <source>Top</source>
   <translation>顶边</translation>
  </message>
  <message>
   <source>Top hat</source>
   <translation>顶帽</translation>
  </message>
  <message>
   <source>Transparent</source>
   <translation>透明</translation>
  </message>
  <message>
   <source>Transpose</source>
   <translation>转置</translation>
  </message>
  <message>
   <source>Transverse</source>
   <translation>反转置</translation>
  </message>
  <message>
   <source>Triangle</source>
   <translation>三角法</translation>
  </message>
  <message>
   <source>Try</source>
   <translation>试用</translation>
  </message>
  <message>
   <source>Turbo</source>
   <translation>Turbo</translation>
  </message>
  <message>
   <source>Turn off</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Turn off %1</source>
   <translation>关闭 %1</translation>
  </message>
  <message>
   <source>Turn on</source>
   <translation>启用</translation>
  </message>
  <message>
   <source>Turn on %1</source>
   <translation>启用 %1</translation>
  </message>
  <message>
   <source>Turns dark into bright and every colour into its complement. Done twice, the image is what it was. Alpha passes unchanged.</source>
   <translation>使暗变亮，颜色变为补色。做两次则恢复原样。Alpha 不变。</translation>
  </message>
  <message>
   <source>Turns the image about its middle, clockwise for positive angles: levels a horizon or a scan. The canvas keeps its size, which cuts corners off, or grows to hold all pixels. Quarter turns and mirrors are exact in flip_rotate.</source>
   <translation>绕中心旋转图像，正角度为顺时针：校正地平线或扫描件。画布保持大小则切去四角，或扩大以容纳全部像素。直角旋转和镜像用 flip_rotate 可精确完成。</translation>
  </message>
  <message>
   <source>Turns the image by any angle</source>
   <translation>按任意角度旋转图像</translation>
  </message>
  <message>
   <source>Turns the image by quarters of a circle or mirrors it. Every pixel keeps its samples; nothing is interpolated, so that two steps that undo each other give the image that it was. Quarter turns, transpose and transverse swap width and height.</source>
   <translation>把图像转动四分之一圈的倍数或镜像。每个像素保留其样本；不插值，因此互逆的两步会恢复原图。四分之一转、转置和反转置会交换宽高。</translation>
  </message>
  <message>
   <source>Two Gaussian blurs at their best; CPU, 8 and 16 bits: subtracted while in the cache</source>
   <translation>以最佳方式做两次高斯模糊；CPU 上 8 位和 16 位的各行趁还在缓存中时相减</translation>
  </message>
  <message>
   <source>Two images of one size into one</source>
   <translation>两幅同尺寸图像合为一幅</translation>
  </message>
  <message>
   <source>Type a command</source>
   <translation>输入命令</translation>
  </message>
  <message>
   <source>Unsharp mask</source>
   <translation>反锐化掩模</translation>
  </message>
  <message>
   <source>Up, Down</source>
   <translation>上、下</translation>
  </message>
  <message>
   <source>Upload to the GPU: %1</source>
   <translation>上传到 GPU：%1</translation>
  </message>
  <message>
   <source>Upload, kernels and download, median of %1</source>
   <translation>上传、内核和下载，%1 次的中位数</translation>
  </message>
  <message>
   <source>Upload, ms</source>
   <translation>上传，ms</translation>
  </message>
  <message>
   <source>Upside down</source>
   <translation>上下颠倒</translation>
  </message>
  <message>
   <source>Value</source>
   <translation>明度值</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>值</translation>
  </message>
  <message>
   <source>Values near the present one</source>
   <translation>当前值附近的值</translation>
  </message>
  <message>
   <source>Values of the pixel after each step</source>
   <translation>各步骤后的像素值</translation>
  </message>
  <message>
   <source>Values over all of the slider</source>
   <translation>滑块全程的值</translation>
  </message>
  <message>
   <source>Values…</source>
   <translation>取值…</translation>
  </message>
  <message>
   <source>Variance</source>
   <translation>方差</translation>
  </message>
  <message>
   <source>Variance, in squared 8-bit levels, below which an area is smoothed: the square of the contrast that is to go</source>
   <translation>方差低于此值（以 8 位级别的平方计）的区域会被平滑：即要去除的对比度的平方</translation>
  </message>
  <message>
   <source>Variant</source>
   <translation>变体</translation>
  </message>
  <message>
   <source>Variants</source>
   <translation>变体</translation>
  </message>
  <message>
   <source>Variants other than the automatic one are compared below.</source>
   <translation>自动之外的变体在下文比较。</translation>
  </message>
  <message>
   <source>Vector</source>
   <translation>矢量</translation>
  </message>
  <message>
   <source>Verdict</source>
   <translation>判定</translation>
  </message>
  <message>
   <source>Vertical</source>
   <translation>垂直</translation>
  </message>
  <message>
   <source>Viridis</source>
   <translation>Viridis</translation>
  </message>
  <message>
   <source>Warm</source>
   <translation>热</translation>
  </message>
  <message>
   <source>Warm cache</source>
   <translation>热缓存</translation>
  </message>
  <message>
   <source>Warpscope</source>
   <translation>Warpscope</translation>
  </message>
  <message>
   <source>Waterfall</source>
   <translation>瀑布图</translation>
  </message>
  <message>
   <source>Waterfall of the last run</source>
   <translation>上一次运行的瀑布图</translation>
  </message>
  <message>
   <source>Waveform</source>
   <translation>波形</translation>
  </message>
  <message>
   <source>WebP could not be written, libwebp error %1</source>
   <translation>无法写入 WebP，libwebp 错误 %1</translation>
  </message>
  <message>
   <source>Weighted, BT.601</source>
   <translation>加权，BT.601</translation>
  </message>
  <message>
   <source>Weighted, BT.709</source>
   <translation>加权，BT.709</translation>
  </message>
  <message>
   <source>Weights from tables in integers. CPU, 8 bits: tables looked up in registers, a vector of pixels at a time</source>
   <translation>权重取自整数表。CPU，8 位：在寄存器中查表，一次处理一个向量的像素</translation>
  </message>
  <message>
   <source>Weights g(i) proportional to exp(-i^2 / (2 sigma^2)), rounded to 16-bit fixed point, the residue added to the centre so that they sum to 65,536.
Row pass: (sum + 128) &gt;&gt; 8, kept in 16 bits (24 for 16-bit samples). Column pass: (sum + 2^23) &gt;&gt; 24.
Float: weights rounded to float, those below 2^-126 are 0, the centre is what the others leave of 1; both passes add weight times sample in float from the first to the last.
Beyond the border the edge pixel is repeated.</source>
   <translation>权重 g(i) 正比于 exp(-i^2 / (2 sigma^2))，取整为 16 位定点，余数加到中心，使总和为 65,536。
行遍历：(sum + 128) &gt;&gt; 8，保留 16 位（16 位样本为 24 位）。列遍历：(sum + 2^23) &gt;&gt; 24。
浮点：权重取整为 float，小于 2^-126 的为 0，中心为 1 减去其余；两遍都从首到尾以 float 累加权重乘样本。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>What</source>
   <translation>测量内容</translation>
  </message>
  <message>
   <source>What an image may take, and what results of steps may keep, in MiB.
A larger image is refused. Default: %1, a quarter of the machine's memory, at most 8,192 MiB.</source>
   <translation>图像可占用、以及步骤结果可保留的内存，单位 MiB。
更大的图像会被拒绝。默认：%1，即本机内存的四分之一，至多 8,192 MiB。</translation>
  </message>
  <message>
   <source>What becomes the gray image</source>
   <translation>取什么作为灰度图像</translation>
  </message>
  <message>
   <source>What black becomes</source>
   <translation>黑变为</translation>
  </message>
  <message>
   <source>What closing leaves minus the image</source>
   <translation>闭运算的结果减去图像</translation>
  </message>
  <message>
   <source>What is above %1 is white</source>
   <translation>高于 %1 者为白</translation>
  </message>
  <message>
   <source>What is as dark as the black point becomes the new black, what is as bright as the white point the new white, and gamma says how bright the middle between them is: above 1 it is raised, below 1 lowered. Black and white closer together add contrast; what lies beyond them is clipped. A new black above the new white turns the image into its negative. Alpha passes unchanged.</source>
   <translation>不亮于黑点的变为新黑，不暗于白点的变为新白，伽马决定其间的中间调有多亮：大于 1 提亮，小于 1 压暗。黑白点靠近则增加对比度；超出部分被截断。新黑高于新白时图像变为负片。Alpha 不变。</translation>
  </message>
  <message>
   <source>What is counted; a gray image has only luma</source>
   <translation>计数的对象；灰度图像只有亮度</translation>
  </message>
  <message>
   <source>What is equalized in a colour image; a gray image has only one channel</source>
   <translation>彩色图像中均衡化的对象；灰度图像只有一个通道</translation>
  </message>
  <message>
   <source>What is made of minima and maxima</source>
   <translation>由最小值和最大值得出什么</translation>
  </message>
  <message>
   <source>What is made of two samples</source>
   <translation>由两个样本得到什么</translation>
  </message>
  <message>
   <source>What is measured</source>
   <translation>测量什么</translation>
  </message>
  <message>
   <source>What is seen of the whole picture; drag to move</source>
   <translation>整幅图片中可见的部分；拖动可移动</translation>
  </message>
  <message>
   <source>What is shown where there is no image</source>
   <translation>没有图像处显示什么</translation>
  </message>
  <message>
   <source>What of the change is shown</source>
   <translation>显示变化的哪一方面</translation>
  </message>
  <message>
   <source>What parts the levels into two groups that lie farthest apart</source>
   <translation>把级别分为相距最远的两组</translation>
  </message>
  <message>
   <source>What speedups are against</source>
   <translation>加速比的对比对象</translation>
  </message>
  <message>
   <source>What the analysis found</source>
   <translation>分析的发现</translation>
  </message>
  <message>
   <source>What the steps give</source>
   <translation>步骤的结果</translation>
  </message>
  <message>
   <source>What the sum is divided by; 0 takes the sum of the kernel, and 1 where that is 0</source>
   <translation>和的除数；0 取核之和，核之和为 0 时取 1</translation>
  </message>
  <message>
   <source>What this step is given is not counted, or has one level only. The histogram counts it while it is shown.</source>
   <translation>该步骤的输入未被统计，或只有一个灰度级。显示直方图时会统计它。</translation>
  </message>
  <message>
   <source>What to time</source>
   <translation>测量内容</translation>
  </message>
  <message>
   <source>What to time and the list of results, at the left</source>
   <translation>左侧的测量内容和结果列表</translation>
  </message>
  <message>
   <source>What white becomes</source>
   <translation>白变为</translation>
  </message>
  <message>
   <source>Wheel</source>
   <translation>滚轮</translation>
  </message>
  <message>
   <source>Wheel or arrow keys</source>
   <translation>滚轮或方向键</translation>
  </message>
  <message>
   <source>Wheel, or Up and Down</source>
   <translation>滚轮，或上、下</translation>
  </message>
  <message>
   <source>Where</source>
   <translation>位置</translation>
  </message>
  <message>
   <source>Where is %1?</source>
   <translation>%1 在哪里？</translation>
  </message>
  <message>
   <source>Where it was measured; without a choice as on the other side</source>
   <translation>测量的位置；不选则与另一侧相同</translation>
  </message>
  <message>
   <source>Where the device counts it; about half a second a result</source>
   <translation>若设备提供计数；每个结果约半秒</translation>
  </message>
  <message>
   <source>Where the pixels go</source>
   <translation>像素移到何处</translation>
  </message>
  <message>
   <source>Where the time of the last run went</source>
   <translation>上一次运行的时间用在何处</translation>
  </message>
  <message>
   <source>Whether the sign is shown</source>
   <translation>是否显示正负号</translation>
  </message>
  <message>
   <source>Which</source>
   <translation>哪些</translation>
  </message>
  <message>
   <source>Which colour: once around the circle from black to white</source>
   <translation>哪种颜色：绕色环一周，由黑到白</translation>
  </message>
  <message>
   <source>Which colours are changed</source>
   <translation>改变哪些颜色</translation>
  </message>
  <message>
   <source>Which figure of the distance is given</source>
   <translation>给出距离的哪种数值</translation>
  </message>
  <message>
   <source>Which neighbours a pixel is compared with</source>
   <translation>像素与哪些邻近像素比较</translation>
  </message>
  <message>
   <source>Which neighbours belong together</source>
   <translation>哪些邻近像素算相连</translation>
  </message>
  <message>
   <source>Which noise is made</source>
   <translation>产生哪种噪声</translation>
  </message>
  <message>
   <source>Which pixels are replaced</source>
   <translation>替换哪些像素</translation>
  </message>
  <message>
   <source>Which samples are drawn black and white: found in the result where it is shown alone, else in the source, for both; samples themselves never change.</source>
   <translation>哪些样本画成黑与白：单独显示结果时取自结果，否则取自源图并用于两者；样本本身从不改变。</translation>
  </message>
  <message>
   <source>Which values</source>
   <translation>哪些值</translation>
  </message>
  <message>
   <source>While co&amp;mparing</source>
   <translation>比较时(&amp;M)</translation>
  </message>
  <message>
   <source>White</source>
   <translation>白</translation>
  </message>
  <message>
   <source>White M where (v + offset) (2 r + 1)^2 &gt; s, else 0; v is luma (BT.601), s the sum of v over (2 r + 1)^2 pixels, in integers. The offset counts times 257 for 16 bits.
Float: 1 where v + offset / 255 &gt; m, m the box mean of luma, else 0; NaN in the square gives 0.
Beyond the border the edge pixel is repeated.</source>
   <translation>(v + offset) (2 r + 1)^2 &gt; s 时为白 M，否则为 0；v 为亮度 (BT.601)，s 为 (2 r + 1)^2 个像素的 v 之和，用整数。16 位时偏移乘 257。
浮点：v + offset / 255 &gt; m 时为 1，m 为亮度的方框均值，否则为 0；方形中有 NaN 则为 0。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>White M where v &gt; t, else 0; v is luma (BT.601). n pixels of sum mt; w0 and m0 count and sum of the levels &lt;= t, w1 = n - w0, m1 = mt - m0. One level only: t is that level.
Fixed: value, times 257 for 16 bits, over 255 for float.
Mean: t = mt / n.
Otsu: the lowest t of the largest (mt w0 - m0 n)^2 / (w0 w1), in double.
Triangle: p the lowest fullest level, lo and hi the first and the last that are not empty, e = hi if p - lo &lt; hi - p, else lo; the first, from e towards p, of the largest h(p) i - |p - e| h(i), i steps from e.
Li: levels less the darkest one; t = mean, then t' = (m0/w0 - m1/w1) / (ln(m0/w0) - ln(m1/w1)), 0 where m0 = 0, until |t' - t| &lt;= 0.5.
Isodata: the lowest t with floor((m0/w0 + m1/w1) / 2) = t, exactly.
Float: fixed and mean compare values; others 65,536 bins over the range [lo, hi] of the finite values, floor((v - lo) 65536 / (hi - lo)) &gt; t; white is 1. NaN is black.</source>
   <translation>v &gt; t 时为白 M，否则为 0；v 为亮度 (BT.601)。n 个像素，和为 mt；w0 和 m0 为级别 &lt;= t 的个数与和，w1 = n - w0，m1 = mt - m0。只有一个级别时 t 即该级别。
固定：给定值，16 位乘 257，浮点除 255。
均值：t = mt / n。
Otsu：使 (mt w0 - m0 n)^2 / (w0 w1) 最大的最小 t，用双精度。
三角法：p 为最低的最满级别，lo 和 hi 为首末非空级别，p - lo &lt; hi - p 时 e = hi，否则 e = lo；从 e 向 p，h(p) i - |p - e| h(i) 最大的第一个，i 为距 e 的步数。
Li：级别减去最暗级别；t = 均值，再取 t' = (m0/w0 - m1/w1) / (ln(m0/w0) - ln(m1/w1))，m0 = 0 时为 0，直到 |t' - t| &lt;= 0.5。
Isodata：满足 floor((m0/w0 + m1/w1) / 2) = t 的最小 t，精确。
浮点：固定和均值直接比较；其余在有限值范围 [lo, hi] 上用 65,536 个区间，floor((v - lo) 65536 / (hi - lo)) &gt; t；白为 1。NaN 为黑。</translation>
  </message>
  <message>
   <source>White of %1</source>
   <translation>%1的白点</translation>
  </message>
  <message>
   <source>White of the view</source>
   <translation>视图的白点</translation>
  </message>
  <message>
   <source>Whole numbers in rows of equal length, both sides odd; the one in the middle is the weight of the pixel itself</source>
   <translation>等长各行的整数，两边均为奇数；中间的是像素自身的权重</translation>
  </message>
  <message>
   <source>Whole range</source>
   <translation>整个范围</translation>
  </message>
  <message>
   <source>Why</source>
   <translation>原因</translation>
  </message>
  <message>
   <source>Width</source>
   <translation>宽度</translation>
  </message>
  <message>
   <source>Width of that interval as a share of the median; above 3% a figure is noisy</source>
   <translation>该区间宽度占中位数的比例；超过 3% 则数据波动大</translation>
  </message>
  <message>
   <source>Wins</source>
   <translation>胜出</translation>
  </message>
  <message>
   <source>With</source>
   <translation>另一图像</translation>
  </message>
  <message>
   <source>With sign: grey is equal, brighter is more</source>
   <translation>带符号：灰为相等，越亮越大</translation>
  </message>
  <message>
   <source>With the result of one thread</source>
   <translation>与单线程的结果</translation>
  </message>
  <message>
   <source>With these values what comes in is given back</source>
   <translation>取这些值时，输入会原样输出</translation>
  </message>
  <message>
   <source>Without a counterpart: %1 of the left side, %2 of the right.</source>
   <translation>没有对应项：左侧 %1 个，右侧 %2 个。</translation>
  </message>
  <message>
   <source>Without alpha</source>
   <translation>不含 alpha</translation>
  </message>
  <message>
   <source>Words of Philox 4x32-10 with key (seed, 0) and counter (index low, index high, 0, 0), index = y w + x in the whole image.
Salt and pepper: T = round(amount 2^32); where word 0 &lt; T the pixel is white if bit 0 of word 1 is set, else black.
Gaussian: words 0, 1, 2 for R, G, B; q = table of 4096 normal quantiles at (word &gt;&gt; 20), in 1/4096; v + ((q round(256 sigma) + 2^19) &gt;&gt; 20), clamped. 16 bits: the product times 257. Float: white is 1, black 0; v + q s with s = round(256 sigma) / (256 x 4096 x 255) in float, not clamped.</source>
   <translation>Philox 4x32-10 的字，密钥 (seed, 0)，计数器 (index 低位, index 高位, 0, 0)，整幅图像中 index = y w + x。
椒盐：T = round(amount 2^32)；字 0 &lt; T 时，字 1 的位 0 为 1 则像素为白，否则为黑。
高斯：字 0、1、2 用于 R、G、B；q = 4096 个正态分位数表中 (字 &gt;&gt; 20) 处的值，单位 1/4096；v + ((q round(256 sigma) + 2^19) &gt;&gt; 20)，限幅。16 位：乘积再乘 257。浮点：白为 1，黑为 0；v + q s，s = round(256 sigma) / (256 x 4096 x 255)，用 float，不限幅。</translation>
  </message>
  <message>
   <source>Work</source>
   <translation>工作量</translation>
  </message>
  <message>
   <source>Writes all rows, in the order of their labels</source>
   <translation>按标签顺序写出所有行</translation>
  </message>
  <message>
   <source>Wrong on purpose, for teaching</source>
   <translation>故意出错，供教学</translation>
  </message>
  <message>
   <source>Wrong: 8-bit counters</source>
   <translation>错误：8 位计数器</translation>
  </message>
  <message>
   <source>Wrong: floor</source>
   <translation>错误：向下取整</translation>
  </message>
  <message>
   <source>Wrong: no barrier</source>
   <translation>错误：缺少屏障</translation>
  </message>
  <message>
   <source>Wrong: whole blocks</source>
   <translation>错误：只取整块</translation>
  </message>
  <message>
   <source>X, then arrows</source>
   <translation>按 X，再用方向键</translation>
  </message>
  <message>
   <source>Y</source>
   <comment>yellow</comment>
   <translation>Y</translation>
  </message>
  <message>
   <source>Y = (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16; q = round(256 amount / 100); c' = clamp(Y + ((q (c - Y) + 128) &gt;&gt; 8)) for each colour. 16 bits alike. Float: Y + q (c - Y) / 256, neither rounded to levels nor clamped; 100 % passes it unchanged.</source>
   <translation>Y = (19595 R + 38470 G + 7471 B + 32768) &gt;&gt; 16；q = round(256 amount / 100)；每种颜色 c' = clamp(Y + ((q (c - Y) + 128) &gt;&gt; 8))。16 位相同。浮点：Y + q (c - Y) / 256，不取整到灰度级，也不限幅；100 % 时原样不变。</translation>
  </message>
  <message>
   <source>YCbCr samples that are not JPEG-compressed</source>
   <translation>非 JPEG 压缩的 YCbCr 样本</translation>
  </message>
  <message>
   <source>Your pipeline</source>
   <translation>您的处理链</translation>
  </message>
  <message>
   <source>Zoom</source>
   <translation>缩放</translation>
  </message>
  <message>
   <source>Zoom &amp;in</source>
   <translation>放大(&amp;I)</translation>
  </message>
  <message>
   <source>Zoom &amp;out</source>
   <translation>缩小(&amp;O)</translation>
  </message>
  <message>
   <source>Zoom to black and white</source>
   <translation>缩放到黑白点</translation>
  </message>
  <message>
   <source>Zoom to the data</source>
   <translation>缩放到数据</translation>
  </message>
  <message>
   <source>Zoom to the selected range</source>
   <translation>缩放到所选范围</translation>
  </message>
  <message>
   <source>Zoom, copy and save</source>
   <translation>缩放、复制和保存</translation>
  </message>
  <message>
   <source>[ and ]</source>
   <translation>[ 和 ]</translation>
  </message>
  <message>
   <source>a DDS texture</source>
   <translation>DDS 纹理</translation>
  </message>
  <message>
   <source>a JPEG 2000 image</source>
   <translation>JPEG 2000 图像</translation>
  </message>
  <message>
   <source>a NumPy array in Fortran order is not read; numpy.ascontiguousarray turns it</source>
   <translation>不读取 Fortran 顺序的 NumPy 数组；可用 numpy.ascontiguousarray 转换</translation>
  </message>
  <message>
   <source>a NumPy array of shape (%1) is no image; (height, width), (height, width, 3) and (height, width, 4) are</source>
   <translation>形状为 (%1) 的 NumPy 数组不是图像；(height, width)、(height, width, 3) 和 (height, width, 4) 才是</translation>
  </message>
  <message>
   <source>a PDF document</source>
   <translation>PDF 文档</translation>
  </message>
  <message>
   <source>a Photoshop document</source>
   <translation>Photoshop 文档</translation>
  </message>
  <message>
   <source>a QOI image</source>
   <translation>QOI 图像</translation>
  </message>
  <message>
   <source>a Radiance HDR image</source>
   <translation>Radiance HDR 图像</translation>
  </message>
  <message>
   <source>a ZIP archive</source>
   <translation>ZIP 压缩包</translation>
  </message>
  <message>
   <source>a channel mask is wider than the pixel</source>
   <translation>某通道掩码比像素还宽</translation>
  </message>
  <message>
   <source>a compressed text is damaged or empty and was left out</source>
   <translation>某段压缩文本已损坏或为空，已忽略</translation>
  </message>
  <message>
   <source>a cursor from pixel to pixel, Return pins</source>
   <translation>光标逐像素移动，回车固定</translation>
  </message>
  <message>
   <source>a device</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>a directory</source>
   <translation>目录</translation>
  </message>
  <message>
   <source>a frame's header is wrong</source>
   <translation>某帧的头错误</translation>
  </message>
  <message>
   <source>a header of %1 bytes is more than the limit of %2</source>
   <translation>%1 字节的文件头超过上限 %2</translation>
  </message>
  <message>
   <source>a header of %1 bytes is not known</source>
   <translation>未知的 %1 字节文件头</translation>
  </message>
  <message>
   <source>a is the input, b the second image, M the white level, L = M + 1, channel by channel.
m: difference |a - b|; signed_difference clamp(L/2 + a - b); add clamp(a + b); subtract clamp(a - b); multiply (2ab + M) / (2M); screen M - (2 (M-a)(M-b) + M) / (2M); minimum; maximum; average (a + b + 1) &gt;&gt; 1; normal b; mask a where b &gt; M/2, else 0.
Result: (m q + a (256 - q) + 128) &gt;&gt; 8 with q = round(256 opacity).
Float: M = 1, L/2 = 0.5, nothing but q is rounded or clamped: ab, 1 - (1-a)(1-b), (a + b) / 2, (m q + a (256 - q)) / 256, and m itself where q = 256; the minimum or maximum with NaN is NaN, NaN masks.</source>
   <translation>a 为输入，b 为第二图像，M 为白电平，L = M + 1，逐通道。
m：差值 |a - b|；带符号差值 clamp(L/2 + a - b)；相加 clamp(a + b)；相减 clamp(a - b)；正片叠底 (2ab + M) / (2M)；滤色 M - (2 (M-a)(M-b) + M) / (2M)；最小；最大；平均 (a + b + 1) &gt;&gt; 1；正常 b；蒙版 b &gt; M/2 处为 a，否则为 0。
结果：(m q + a (256 - q) + 128) &gt;&gt; 8，q = round(256 opacity)。
浮点：M = 1，L/2 = 0.5，除 q 外均不取整、不限幅：ab，1 - (1-a)(1-b)，(a + b) / 2，(m q + a (256 - q)) / 256，q = 256 时即 m；与 NaN 取最小或最大得 NaN，NaN 作蒙版有效。</translation>
  </message>
  <message>
   <source>a jump leaves the picture</source>
   <translation>某跳转超出图像</translation>
  </message>
  <message>
   <source>a larger or smaller image</source>
   <translation>更大或更小的图像</translation>
  </message>
  <message>
   <source>a line, and the profile along it</source>
   <translation>一条线及沿线剖面</translation>
  </message>
  <message>
   <source>a new point, move a point</source>
   <translation>新点、移动点</translation>
  </message>
  <message>
   <source>a palette and samples that are not small unsigned numbers</source>
   <translation>调色板和并非小无符号数的样本</translation>
  </message>
  <message>
   <source>a part of its path is not a folder</source>
   <translation>其路径中有一部分不是文件夹</translation>
  </message>
  <message>
   <source>a picture made by the program itself</source>
   <translation>由程序自身生成的图片</translation>
  </message>
  <message>
   <source>a program</source>
   <translation>程序</translation>
  </message>
  <message>
   <source>a row has too few bytes</source>
   <translation>某一行的字节数不足</translation>
  </message>
  <message>
   <source>a run leaves its row</source>
   <translation>某行程超出所在行</translation>
  </message>
  <message>
   <source>a sample is above the maxval</source>
   <translation>有样本超过最大值</translation>
  </message>
  <message>
   <source>a side is negative</source>
   <translation>有一边为负</translation>
  </message>
  <message>
   <source>a socket</source>
   <translation>套接字</translation>
  </message>
  <message>
   <source>a strip or tile holds more than it should</source>
   <translation>某条带或图块含有超出应有的数据</translation>
  </message>
  <message>
   <source>a strip or tile is shorter than it should be</source>
   <translation>某条带或图块比应有的短</translation>
  </message>
  <message>
   <source>a tenth of the samples was faster</source>
   <translation>有十分之一的样本更快</translation>
  </message>
  <message>
   <source>a tenth of the samples was slower</source>
   <translation>有十分之一的样本更慢</translation>
  </message>
  <message>
   <source>a tile has no size</source>
   <translation>某图块没有大小</translation>
  </message>
  <message>
   <source>a tile has too few bytes</source>
   <translation>某个分块的字节数不足</translation>
  </message>
  <message>
   <source>a transparency mask as its first page</source>
   <translation>以透明蒙版为首页</translation>
  </message>
  <message>
   <source>a warpscope-cli command that gives the same result</source>
   <translation>得到相同结果的 warpscope-cli 命令</translation>
  </message>
  <message>
   <source>adds a step that keeps the box around the region</source>
   <translation>添加一个保留区域外接矩形的步骤</translation>
  </message>
  <message>
   <source>again</source>
   <translation>重做</translation>
  </message>
  <message>
   <source>against %1</source>
   <translation>对比 %1</translation>
  </message>
  <message>
   <source>against %1: %2</source>
   <translation>对比 %1：%2</translation>
  </message>
  <message>
   <source>against a recording: the nearest values that it has</source>
   <translation>对录制数据：使用其中最接近的参数</translation>
  </message>
  <message>
   <source>agreement with one thread</source>
   <translation>与单线程的一致性</translation>
  </message>
  <message>
   <source>all %1 steps kept</source>
   <translation>全部 %1 个步骤均已保留</translation>
  </message>
  <message>
   <source>all cores</source>
   <translation>全部核心</translation>
  </message>
  <message>
   <source>all cores (1)</source>
   <translation>全部核心 (1)</translation>
  </message>
  <message>
   <source>all cores : 1 thread</source>
   <translation>全部核心 : 单线程</translation>
  </message>
  <message>
   <source>all cores against %1</source>
   <translation>全部核心对比 %1</translation>
  </message>
  <message>
   <source>all cores of this machine</source>
   <translation>本机的全部核心</translation>
  </message>
  <message>
   <source>all values</source>
   <translation>全部值</translation>
  </message>
  <message>
   <source>allowed are %1 to %2</source>
   <translation>允许 %1 至 %2</translation>
  </message>
  <message>
   <source>along the strip</source>
   <translation>沿试条</translation>
  </message>
  <message>
   <source>alpha dropped</source>
   <translation>已舍去 alpha</translation>
  </message>
  <message>
   <source>also selects the object's row; there Return or a double click zooms to an object</source>
   <translation>同时选中该对象所在的行；在表格中按回车或双击可放大到对象</translation>
  </message>
  <message>
   <source>an exact value</source>
   <translation>精确值</translation>
  </message>
  <message>
   <source>an image of %1 x %2 pixels is not possible: sides go from 1 to %3</source>
   <translation>不可能有 %1 x %2 像素的图像：边长为 1 至 %3</translation>
  </message>
  <message>
   <source>and</source>
   <translation>和</translation>
  </message>
  <message>
   <source>animation</source>
   <translation>动画</translation>
  </message>
  <message>
   <source>another image</source>
   <translation>另一图像</translation>
  </message>
  <message>
   <source>another image in all views, both after the same steps</source>
   <translation>在所有视图中对比另一图像，两者都经过相同步骤</translation>
  </message>
  <message>
   <source>another image was opened</source>
   <translation>已打开另一图像</translation>
  </message>
  <message>
   <source>as it is</source>
   <translation>原样</translation>
  </message>
  <message>
   <source>as seen: 8 bits, %1</source>
   <translation>按所见：8 位，%1</translation>
  </message>
  <message>
   <source>as the sensor lies: the camera was turned (%1 degrees)</source>
   <translation>按传感器方位：相机曾转动（%1 度）</translation>
  </message>
  <message>
   <source>at %1 of %2 measured sizes</source>
   <translation>在 %2 个测过的尺寸中的 %1 个上</translation>
  </message>
  <message>
   <source>at every measured size</source>
   <translation>在所有测过的尺寸上</translation>
  </message>
  <message>
   <source>at no measured size</source>
   <translation>在测过的尺寸上都没有</translation>
  </message>
  <message>
   <source>at once when one is opened; off: a message offers it</source>
   <translation>打开时立即生效；关闭则以消息提供</translation>
  </message>
  <message>
   <source>automatic</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>automatic, %1</source>
   <translation>自动，%1</translation>
  </message>
  <message>
   <source>average, blur, smooth, soften, mean filter</source>
   <translation>平均, 模糊, 平滑, 柔化, 均值滤波</translation>
  </message>
  <message>
   <source>b is the Gaussian blur of this sigma, rounded as it is there; d = v - b, q = round(256 amount), M the white level.
Result: v where |d| &lt;= threshold, else v + ((q d + 128) &gt;&gt; 8), cut to 0 to M. 16 bits: threshold times 257.
Float: v + q d / 256, not cut; threshold over 255.</source>
   <translation>b 为此 sigma 的高斯模糊，按其方式取整；d = v - b，q = round(256 amount)，M 为白电平。
结果：|d| &lt;= threshold 时为 v，否则为 v + ((q d + 128) &gt;&gt; 8)，截断到 0 至 M。16 位：阈值乘 257。
浮点：v + q d / 256，不截断；阈值除 255。</translation>
  </message>
  <message>
   <source>back to the default</source>
   <translation>恢复默认值</translation>
  </message>
  <message>
   <source>bar: 95% interval of the median (of one round: 10th to 90th percentile)</source>
   <translation>条：中位数的 95% 区间（仅一轮：第 10 至第 90 百分位）</translation>
  </message>
  <message>
   <source>bars are luma, lines red, green and blue</source>
   <translation>柱为亮度，线为红、绿、蓝</translation>
  </message>
  <message>
   <source>beside it %1: %2, %3</source>
   <translation>对照 %1：%2，%3</translation>
  </message>
  <message>
   <source>best CPU %1</source>
   <translation>最快 CPU %1</translation>
  </message>
  <message>
   <source>best CPU (%1)</source>
   <translation>最快 CPU（%1）</translation>
  </message>
  <message>
   <source>best CPU (%1, %2)</source>
   <translation>最快 CPU（%1，%2）</translation>
  </message>
  <message>
   <source>beyond a limit of libheif: %1</source>
   <translation>超出 libheif 的限制：%1</translation>
  </message>
  <message>
   <source>binary data is not JSON</source>
   <translation>二进制数据不是 JSON</translation>
  </message>
  <message>
   <source>binary, binarize, segment, segmentation, document, scan, text</source>
   <translation>二值, 二值化, 分割, 文档, 扫描, 文字</translation>
  </message>
  <message>
   <source>binary, binarize, segment, segmentation, mask, black and white, otsu</source>
   <translation>二值, 二值化, 分割, 蒙版, 黑白, 大津</translation>
  </message>
  <message>
   <source>bits</source>
   <translation>位</translation>
  </message>
  <message>
   <source>black %1, white %2 (%3)</source>
   <translation>黑 %1，白 %2（%3）</translation>
  </message>
  <message>
   <source>black and white</source>
   <translation>黑白</translation>
  </message>
  <message>
   <source>black and white are the smallest and the largest sample</source>
   <translation>黑和白为最小和最大的样本</translation>
  </message>
  <message>
   <source>black and white, gray, grey, monochrome, desaturate</source>
   <translation>黑白, 灰度, 单色, 去色</translation>
  </message>
  <message>
   <source>black is %1 and white is %2, but black must be below white</source>
   <translation>黑点为 %1、白点为 %2，但黑点必须低于白点</translation>
  </message>
  <message>
   <source>black is %1, white %2</source>
   <translation>黑电平 %1，白电平 %2</translation>
  </message>
  <message>
   <source>black level</source>
   <translation>黑电平</translation>
  </message>
  <message>
   <source>black; with Shift, or the other handle, white</source>
   <translation>黑；加 Shift 或用另一手柄为白</translation>
  </message>
  <message>
   <source>blobs, spots, band pass, bandpass, edges, details</source>
   <translation>斑点, 带通, 边缘, 细节</translation>
  </message>
  <message>
   <source>blue</source>
   <translation>蓝</translation>
  </message>
  <message>
   <source>both after the same steps; again: no longer</source>
   <translation>两者都经过相同步骤；再按一次取消</translation>
  </message>
  <message>
   <source>boxes and centres of what the step Threshold (Otsu) leaves of the picture</source>
   <translation>图中经“阈值”步骤（Otsu）留下的区域的外接框和中心</translation>
  </message>
  <message>
   <source>brightens the middle of the view</source>
   <translation>提亮视图的中间调</translation>
  </message>
  <message>
   <source>brightness, contrast, exposure, gamma, shadows, highlights, black point, white point, brighten, darken, stretch, normalize</source>
   <translation>亮度, 对比度, 曝光, 伽马, 阴影, 高光, 黑场, 白场, 变亮, 变暗, 拉伸, 归一化</translation>
  </message>
  <message>
   <source>brightness, contrast, exposure, gamma, shadows, highlights, tone, brighten, darken</source>
   <translation>亮度, 对比度, 曝光, 伽马, 阴影, 高光, 影调, 变亮, 变暗</translation>
  </message>
  <message>
   <source>came out again</source>
   <translation>已重现</translation>
  </message>
  <message>
   <source>camera RAW</source>
   <translation>相机 RAW</translation>
  </message>
  <message>
   <source>camera RAW of float samples is not read</source>
   <translation>不读取浮点样本的相机 RAW</translation>
  </message>
  <message>
   <source>camera RAW that holds colours instead of a mosaic is not read</source>
   <translation>不读取含颜色而非马赛克的相机 RAW</translation>
  </message>
  <message>
   <source>camera make</source>
   <translation>相机厂商</translation>
  </message>
  <message>
   <source>camera maker</source>
   <translation>相机制造商</translation>
  </message>
  <message>
   <source>camera model</source>
   <translation>相机型号</translation>
  </message>
  <message>
   <source>cancelled</source>
   <translation>已取消</translation>
  </message>
  <message>
   <source>cannot write '%1': a histogram is saved as .png, .svg or .csv</source>
   <translation>无法写入 '%1'：直方图可存为 .png、.svg 或 .csv</translation>
  </message>
  <message>
   <source>cannot write '%1': it is saved as %2</source>
   <translation>无法写入 '%1'：应存为 %2</translation>
  </message>
  <message>
   <source>cannot write '%1': it is saved as .png, .svg</source>
   <translation>无法写入 '%1'：可存为 .png、.svg</translation>
  </message>
  <message>
   <source>chain %1</source>
   <translation>处理链 %1</translation>
  </message>
  <message>
   <source>changes nothing</source>
   <translation>不改变任何内容</translation>
  </message>
  <message>
   <source>chart</source>
   <translation>图表</translation>
  </message>
  <message>
   <source>chosen: %1</source>
   <translation>已选择：%1</translation>
  </message>
  <message>
   <source>chosen: GPU, not there; %1</source>
   <translation>已选择：GPU，但没有；%1</translation>
  </message>
  <message>
   <source>clipboard</source>
   <translation>剪贴板</translation>
  </message>
  <message>
   <source>clipping marked</source>
   <translation>已标记截断</translation>
  </message>
  <message>
   <source>cold</source>
   <translation>冷</translation>
  </message>
  <message>
   <source>cold cache</source>
   <translation>冷缓存</translation>
  </message>
  <message>
   <source>cold: inputs in turn, larger together than the cache</source>
   <translation>冷：依次使用多个输入，合计大于缓存</translation>
  </message>
  <message>
   <source>colour filters</source>
   <translation>滤色片</translation>
  </message>
  <message>
   <source>colour profiles: this build has no Little CMS</source>
   <translation>颜色配置文件：本构建不含 Little CMS</translation>
  </message>
  <message>
   <source>colours are as they are stored, multiplied by alpha</source>
   <translation>颜色按存储原样，已乘以 alpha</translation>
  </message>
  <message>
   <source>colours are as they are stored, multiplied by alpha as OpenEXR has them</source>
   <translation>颜色按存储原样，已按 OpenEXR 的方式乘以 alpha</translation>
  </message>
  <message>
   <source>colours as stored, not of %1</source>
   <translation>颜色按存储值，而非 %1</translation>
  </message>
  <message>
   <source>colours of %1</source>
   <translation>%1 的颜色</translation>
  </message>
  <message>
   <source>colours of the view; samples never change</source>
   <translation>视图的颜色；样本从不改变</translation>
  </message>
  <message>
   <source>column of the image, pixels</source>
   <translation>图像的列，像素</translation>
  </message>
  <message>
   <source>columns of the image, three times</source>
   <translation>图像的列，重复三遍</translation>
  </message>
  <message>
   <source>comes later</source>
   <translation>在其后面</translation>
  </message>
  <message>
   <source>command</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>compares it with the open one, both after the same steps</source>
   <translation>与打开的图像比较，两者都经过相同步骤</translation>
  </message>
  <message>
   <source>comparison</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>complex samples</source>
   <translation>复数样本</translation>
  </message>
  <message>
   <source>components of 64-bit sums are not looked for</source>
   <translation>不在 64 位和中查找连通区域</translation>
  </message>
  <message>
   <source>components of 64-bit sums are not measured</source>
   <translation>不测量 64 位和的连通区域</translation>
  </message>
  <message>
   <source>compression %1</source>
   <translation>压缩方式 %1</translation>
  </message>
  <message>
   <source>contrast, histogram, normalize</source>
   <translation>对比度, 直方图, 归一化</translation>
  </message>
  <message>
   <source>contrast, local contrast, shadows, adaptive, histogram</source>
   <translation>对比度, 局部对比度, 阴影, 自适应, 直方图</translation>
  </message>
  <message>
   <source>conversion</source>
   <translation>转换</translation>
  </message>
  <message>
   <source>copy or save this screen as a picture</source>
   <translation>将此屏复制或保存为图片</translation>
  </message>
  <message>
   <source>count, count objects, label, segment, segmentation, particles, cells, blobs, regions</source>
   <translation>计数, 对象计数, 标记, 分割, 颗粒, 细胞, 斑点, 区域</translation>
  </message>
  <message>
   <source>cumulative</source>
   <translation>累积</translation>
  </message>
  <message>
   <source>cut, trim, region</source>
   <translation>裁切, 修剪, 区域</translation>
  </message>
  <message>
   <source>damaged after row %1 of %2: %3</source>
   <translation>第 %1 行（共 %2 行）之后损坏：%3</translation>
  </message>
  <message>
   <source>damaged after row 0: %1</source>
   <translation>第 0 行之后损坏：%1</translation>
  </message>
  <message>
   <source>damaged after row 0: %1 x %2 pixels in plain text need at least %3 bytes, the file has %4</source>
   <translation>第 0 行之后损坏：%1 x %2 像素的纯文本至少需要 %3 字节，文件只有 %4 字节</translation>
  </message>
  <message>
   <source>damaged after row 0: the colour map is missing</source>
   <translation>第 0 行之后损坏：缺少颜色表</translation>
  </message>
  <message>
   <source>damaged after row 0: the header promises an image of at least %1 bytes, the file has %2</source>
   <translation>第 0 行之后损坏：文件头承诺至少 %1 字节的图像，文件只有 %2 字节</translation>
  </message>
  <message>
   <source>damaged after row 0: the sizes of its parts do not fit</source>
   <translation>第 0 行之后损坏：各部分大小不符</translation>
  </message>
  <message>
   <source>damaged: %1</source>
   <translation>已损坏：%1</translation>
  </message>
  <message>
   <source>dashed ring: a side is noisy; bar: what the speedup may be</source>
   <translation>虚线圈：有一方波动大；条：加速比的可能范围</translation>
  </message>
  <message>
   <source>dashed ring: noisy, that interval is wider than 3%</source>
   <translation>虚线圈：波动大，区间宽于 3%</translation>
  </message>
  <message>
   <source>date changed</source>
   <translation>修改日期</translation>
  </message>
  <message>
   <source>date taken</source>
   <translation>拍摄日期</translation>
  </message>
  <message>
   <source>debug</source>
   <translation>调试</translation>
  </message>
  <message>
   <source>decoding it needs more memory than the limit of %1 MiB%2%3</source>
   <translation>解码所需的内存超过了 %1 MiB 的限制%2%3</translation>
  </message>
  <message>
   <source>decoding it takes longer than the limit of %1 seconds%2%3</source>
   <translation>解码超过了 %1 秒的限制%2%3</translation>
  </message>
  <message>
   <source>decoding it takes more than the limit of %1 seconds of processor time%2%3</source>
   <translation>解码超过了 %1 秒处理器时间的限制%2%3</translation>
  </message>
  <message>
   <source>deep samples are not read</source>
   <translation>不读取深度样本</translation>
  </message>
  <message>
   <source>denoise, dust, scratches, hot pixels, outliers, remove spots</source>
   <translation>去噪, 灰尘, 划痕, 热像素, 离群点, 去斑</translation>
  </message>
  <message>
   <source>denoise, noise reduction, edge preserving, smooth</source>
   <translation>去噪, 降噪, 保边, 平滑</translation>
  </message>
  <message>
   <source>denoise, noise reduction, edge preserving, smooth, surface blur, skin</source>
   <translation>去噪, 降噪, 保边, 平滑, 表面模糊, 磨皮</translation>
  </message>
  <message>
   <source>denoise, noise reduction, grain, smooth</source>
   <translation>去噪, 降噪, 颗粒, 平滑</translation>
  </message>
  <message>
   <source>denoise, noise reduction, salt and pepper, smooth, blur</source>
   <translation>去噪, 降噪, 椒盐, 平滑, 模糊</translation>
  </message>
  <message>
   <source>differs in %1 sample, at most by %2, at (%3, %4)%5</source>
   <translation>有 %1 个样本不同，最多相差 %2，位于 (%3, %4)%5</translation>
  </message>
  <message>
   <source>differs in %1 samples, at most by %2, at (%3, %4)%5</source>
   <translation>有 %1 个样本不同，最多相差 %2，位于 (%3, %4)%5</translation>
  </message>
  <message>
   <source>differs in shape or range</source>
   <translation>形状或范围不同</translation>
  </message>
  <message>
   <source>distance in pixels</source>
   <translation>距离（像素）</translation>
  </message>
  <message>
   <source>distance map, thickness, skeleton, watershed</source>
   <translation>距离图, 厚度, 骨架, 分水岭</translation>
  </message>
  <message>
   <source>does not exist</source>
   <translation>不存在</translation>
  </message>
  <message>
   <source>does not take images of %1</source>
   <translation>不接受%1的图像</translation>
  </message>
  <message>
   <source>does not take sums, labels or squared distances</source>
   <translation>不接受和、标签或距离的平方</translation>
  </message>
  <message>
   <source>does not take the sums of an integral image</source>
   <translation>不接受积分图的和</translation>
  </message>
  <message>
   <source>download</source>
   <translation>下载</translation>
  </message>
  <message>
   <source>downloading the image</source>
   <translation>下载图像</translation>
  </message>
  <message>
   <source>draft</source>
   <translation>草稿</translation>
  </message>
  <message>
   <source>drag, or arrows: by 1, with Shift by 10 (a rotation in a drag by 15 degrees), with Ctrl the far corner, or tenths of a degree; Esc takes a drag back, or shows the result, as Return does</source>
   <translation>拖动，或方向键：移动 1，按住 Shift 为 10（拖动旋转时为 15 度），按住 Ctrl 为远角，或十分之一度；Esc 撤回拖动，或与回车一样显示结果</translation>
  </message>
  <message>
   <source>draw</source>
   <translation>绘制</translation>
  </message>
  <message>
   <source>else closing asks once before they are lost</source>
   <translation>否则关闭时会先询问一次，以免丢失</translation>
  </message>
  <message>
   <source>en</source>
   <comment>code of the language</comment>
   <translation>zh-CN</translation>
  </message>
  <message>
   <source>end to end </source>
   <translation>端到端 </translation>
  </message>
  <message>
   <source>end to end, ms</source>
   <translation>端到端，毫秒</translation>
  </message>
  <message>
   <source>end to end; kernels %1 · upload %2 · download %3</source>
   <translation>端到端；内核 %1 · 上传 %2 · 下载 %3</translation>
  </message>
  <message>
   <source>ends the look at one step</source>
   <translation>结束查看单个步骤</translation>
  </message>
  <message>
   <source>erode, dilate, open, close, grow, shrink, thicken, thin, fill holes, top hat, background</source>
   <translation>腐蚀, 膨胀, 开运算, 闭运算, 生长, 收缩, 加粗, 变细, 填孔, 顶帽, 背景</translation>
  </message>
  <message>
   <source>error</source>
   <translation>错误</translation>
  </message>
  <message>
   <source>exposure %1%2</source>
   <translation>曝光 %1%2</translation>
  </message>
  <message>
   <source>faster</source>
   <translation>更快</translation>
  </message>
  <message>
   <source>faster than copying, in part from the cache</source>
   <translation>快于复制，部分来自缓存</translation>
  </message>
  <message>
   <source>find edges, contours, outline, lines</source>
   <translation>查找边缘, 轮廓, 线条</translation>
  </message>
  <message>
   <source>find edges, second derivative, focus</source>
   <translation>查找边缘, 二阶导数, 对焦</translation>
  </message>
  <message>
   <source>find edges, sobel, scharr, prewitt, outline, slope</source>
   <translation>查找边缘, 轮廓, 梯度, sobel, scharr, prewitt</translation>
  </message>
  <message>
   <source>first call, not counted: %1 ms on %2</source>
   <translation>首次调用，不计入：%1 ms，在 %2 上</translation>
  </message>
  <message>
   <source>first-time costs</source>
   <translation>含首次开销</translation>
  </message>
  <message>
   <source>fit to window or 100%</source>
   <translation>适应窗口或 100%</translation>
  </message>
  <message>
   <source>fit, zoom in, zoom out</source>
   <translation>适应、放大、缩小</translation>
  </message>
  <message>
   <source>float</source>
   <translation>浮点</translation>
  </message>
  <message>
   <source>float became 8 bits</source>
   <translation>浮点变为 8 位</translation>
  </message>
  <message>
   <source>float colour</source>
   <translation>浮点彩色</translation>
  </message>
  <message>
   <source>float gray</source>
   <translation>浮点灰度</translation>
  </message>
  <message>
   <source>float samples of %1 bits</source>
   <translation>%1 位浮点样本</translation>
  </message>
  <message>
   <source>float samples were compressed, in most files with loss</source>
   <translation>浮点样本经过压缩，多数文件为有损</translation>
  </message>
  <message>
   <source>focal length</source>
   <translation>焦距</translation>
  </message>
  <message>
   <source>for steps that take a second input, such as a blend</source>
   <translation>用于需要第二输入的步骤，如混合</translation>
  </message>
  <message>
   <source>for teaching: traps of parallel code, as variants of steps</source>
   <translation>教学用：并行代码的陷阱，作为步骤的变体</translation>
  </message>
  <message>
   <source>frame</source>
   <translation>帧</translation>
  </message>
  <message>
   <source>frames/s</source>
   <translation>帧/秒</translation>
  </message>
  <message>
   <source>from %1 x %2</source>
   <translation>自 %1 x %2 起</translation>
  </message>
  <message>
   <source>from picture to picture</source>
   <translation>逐图移动</translation>
  </message>
  <message>
   <source>full range</source>
   <translation>全范围</translation>
  </message>
  <message>
   <source>full range, linear, natural colours</source>
   <translation>全范围，线性，自然颜色</translation>
  </message>
  <message>
   <source>full screen or window</source>
   <translation>全屏或窗口</translation>
  </message>
  <message>
   <source>further launches</source>
   <translation>其余启动</translation>
  </message>
  <message>
   <source>g1 and g2 are the Gaussian blurs of the small and the large sigma, each rounded as it is there; L = 256 or 65,536.
Result: L/2 + gain (g1 - g2), cut to 0 to L - 1.
Float: 0.5 + gain (g1 - g2), not cut.</source>
   <translation>g1 和 g2 为小 σ 和大 σ 的高斯模糊，各按其方式取整；L = 256 或 65,536。
结果：L/2 + gain (g1 - g2)，截断到 0 至 L - 1。
浮点：0.5 + gain (g1 - g2)，不截断。</translation>
  </message>
  <message>
   <source>gamma %1</source>
   <translation>伽马 %1</translation>
  </message>
  <message>
   <source>gaussian_blur with the variant direct_2d takes sizes up to %1, not %2</source>
   <translation>gaussian_blur 的变体 direct_2d 尺寸至多 %1，不能为 %2</translation>
  </message>
  <message>
   <source>gaussian_blur with the variant wrong_floor takes 8 and 16 bits: float samples are not rounded to levels</source>
   <translation>gaussian_blur 的变体 wrong_floor 接受 8 位和 16 位：浮点样本不取整到级别</translation>
  </message>
  <message>
   <source>grain, dirt, simulate</source>
   <translation>颗粒, 污点, 模拟</translation>
  </message>
  <message>
   <source>gray</source>
   <translation>灰度</translation>
  </message>
  <message>
   <source>gray and alpha</source>
   <translation>灰度和 alpha</translation>
  </message>
  <message>
   <source>gray is stored as equal R, G and B</source>
   <translation>灰度存为相等的 R、G、B</translation>
  </message>
  <message>
   <source>gray palette</source>
   <translation>灰度调色板</translation>
  </message>
  <message>
   <source>gray with a transparent value</source>
   <translation>灰度，有一个透明值</translation>
  </message>
  <message>
   <source>grayscale takes %1 with the automatic variant only</source>
   <translation>grayscale 仅以自动变体接受%1</translation>
  </message>
  <message>
   <source>green</source>
   <translation>绿</translation>
  </message>
  <message>
   <source>grey is equal, brighter is more</source>
   <translation>灰为相等，越亮越大</translation>
  </message>
  <message>
   <source>grey levels</source>
   <translation>灰度级</translation>
  </message>
  <message>
   <source>gzip data</source>
   <translation>gzip 数据</translation>
  </message>
  <message>
   <source>half a stop, of the view</source>
   <translation>视图的半挡</translation>
  </message>
  <message>
   <source>has pixels of another size</source>
   <translation>的像素尺寸不同</translation>
  </message>
  <message>
   <source>histogram counts %1 with the automatic variant only: the others have 256 bins</source>
   <translation>histogram 仅以自动变体计数%1：其他变体只有 256 个区间</translation>
  </message>
  <message>
   <source>histogram, statistics and timings of a part; also Shift and drag</source>
   <translation>局部的直方图、统计和用时；也可 Shift 加拖动</translation>
  </message>
  <message>
   <source>hollow marker: another library</source>
   <translation>空心标记：其他库</translation>
  </message>
  <message>
   <source>i = floor(255 (v - low) / (high - low) + 0.5), clamped to 0 to 255; low and high are levels of 8 bits, times 257 for 16 bits, over 255 for float, and the numbers themselves for samples of 32 bits. NaN: 0. low &gt;= high is refused.
Viridis, inferno, magma, plasma, cividis, turbo: the 256 entries of matplotlib, floor(255 c + 0.5).
Jet: (766 - abs(8 i - k)) &gt;&gt; 1, k = 1530, 1020, 510 for R, G, B. Hot: (5 i + 1) &gt;&gt; 1, (5 i - 509) &gt;&gt; 1, 5 i - 1020. Signed: min(255, 2 i), 255 - abs(2 i - 255), min(255, 510 - 2 i). Cyclic: abs(6 i - 768) - 256, 512 - abs(6 i - 512), 512 - abs(6 i - 1024). All clamped.
Labels, low and high unused: 0 is black, else i = 1 + (label - 1) mod 255, its colour c that of cyclic at 157 i mod 256, where i mod 3 is 1 (2 c + 1) / 3, where it is 2 (c + 255) / 2. Float: the nearest number.
16-bit alpha: (255 a + 32895) &gt;&gt; 16; float: floor(255 a + 0.5), clamped.</source>
   <translation>i = floor(255 (v - low) / (high - low) + 0.5)，限于 0 到 255；low 和 high 以 8 位级别计，16 位乘 257，浮点除 255，32 位样本则为数值本身。NaN：0。low &gt;= high 会被拒绝。
Viridis、inferno、magma、plasma、cividis、turbo：matplotlib 的 256 项，floor(255 c + 0.5)。
Jet：(766 - abs(8 i - k)) &gt;&gt; 1，R、G、B 的 k = 1530、1020、510。Hot：(5 i + 1) &gt;&gt; 1，(5 i - 509) &gt;&gt; 1，5 i - 1020。带符号：min(255, 2 i)，255 - abs(2 i - 255)，min(255, 510 - 2 i)。循环：abs(6 i - 768) - 256，512 - abs(6 i - 512)，512 - abs(6 i - 1024)。均限幅。
标签不用 low 和 high：0 为黑，其余 i = 1 + (label - 1) mod 255，其颜色 c 取“循环”在 157 i mod 256 处的颜色，i mod 3 为 1 时取 (2 c + 1) / 3，为 2 时取 (c + 255) / 2。浮点：最近的整数。
16 位 alpha：(255 a + 32895) &gt;&gt; 16；浮点：floor(255 a + 0.5)，限幅。</translation>
  </message>
  <message>
   <source>identical</source>
   <translation>相同</translation>
  </message>
  <message>
   <source>image</source>
   <translation>图像</translation>
  </message>
  <message>
   <source>image size, pixels</source>
   <translation>图像尺寸，像素</translation>
  </message>
  <message>
   <source>images are decoded in this process, without protection: %1</source>
   <translation>图像在本进程中解码，没有保护：%1</translation>
  </message>
  <message>
   <source>images are decoded with limits on memory and time, but without a filter on system calls: %1</source>
   <translation>图像解码有内存和时间限制，但没有系统调用过滤：%1</translation>
  </message>
  <message>
   <source>images of %1 x %2 and %3 x %4 pixels cannot be compared</source>
   <translation>无法比较 %1 x %2 与 %3 x %4 像素的图像</translation>
  </message>
  <message>
   <source>images of the formats %1 and %2 cannot be compared</source>
   <translation>无法比较格式为 %1 与 %2 的图像</translation>
  </message>
  <message>
   <source>images, steps, view, region and pins in one file</source>
   <translation>图像、步骤、视图、区域和固定点存入一个文件</translation>
  </message>
  <message>
   <source>in %1 bands: GPU memory was too small</source>
   <translation>分 %1 带计算：GPU 内存太小</translation>
  </message>
  <message>
   <source>in a difference: amplify less and more; in wipe: move the line</source>
   <translation>差值视图：减小和增大放大倍数；划像视图：移动分割线</translation>
  </message>
  <message>
   <source>in a process of its own, with limits on memory and time and a filter on system calls</source>
   <translation>在独立的进程中进行，限制内存和时间，并过滤系统调用</translation>
  </message>
  <message>
   <source>in a process of its own, with limits on memory and time; without a filter on system calls: %1</source>
   <translation>在独立的进程中进行，限制内存和时间；未过滤系统调用：%1</translation>
  </message>
  <message>
   <source>in colour</source>
   <translation>彩色</translation>
  </message>
  <message>
   <source>in grey</source>
   <translation>灰度</translation>
  </message>
  <message>
   <source>in the cache</source>
   <translation>在缓存中</translation>
  </message>
  <message>
   <source>in the ellipse at %1, %2 of %3 × %4</source>
   <translation>椭圆内，位于 %1, %2，大小 %3 × %4</translation>
  </message>
  <message>
   <source>in the ellipse at %1, %2 of %3 × %4, %5 pixels</source>
   <translation>椭圆内，位于 %1, %2，大小 %3 × %4，%5 像素</translation>
  </message>
  <message>
   <source>in the freehand region at %1, %2 of %3 × %4</source>
   <translation>手绘区域内，位于 %1, %2，大小 %3 × %4</translation>
  </message>
  <message>
   <source>in the freehand region at %1, %2 of %3 × %4, %5 pixels</source>
   <translation>手绘区域内，位于 %1, %2，大小 %3 × %4，%5 像素</translation>
  </message>
  <message>
   <source>in the inspector, of the pixel under the mouse</source>
   <translation>在检查器中，鼠标下的像素</translation>
  </message>
  <message>
   <source>in this process, without protection: %1</source>
   <translation>在本进程中进行，没有保护：%1</translation>
  </message>
  <message>
   <source>info</source>
   <translation>信息</translation>
  </message>
  <message>
   <source>inks other than CMYK of 8 or 16 bits</source>
   <translation>8 或 16 位 CMYK 之外的油墨</translation>
  </message>
  <message>
   <source>input to paint %1 ms</source>
   <translation>输入到绘制 %1 ms</translation>
  </message>
  <message>
   <source>integers became float, divided by the white level %1</source>
   <translation>整数已变为浮点，除以白电平 %1</translation>
  </message>
  <message>
   <source>interlaced</source>
   <translation>隔行</translation>
  </message>
  <message>
   <source>is empty</source>
   <translation>为空</translation>
  </message>
  <message>
   <source>is itself</source>
   <translation>就是自身</translation>
  </message>
  <message>
   <source>is missing</source>
   <translation>缺失</translation>
  </message>
  <message>
   <source>is the part of %1 × %2 pixels at x %3, y %4</source>
   <translation>是 %1 × %2 像素的部分，位于 x %3、y %4</translation>
  </message>
  <message>
   <source>is turned or mirrored</source>
   <translation>已旋转或镜像</translation>
  </message>
  <message>
   <source>it became shorter while it was read, %1 of %2 bytes</source>
   <translation>读取过程中文件变短，%2 字节中只剩 %1 字节</translation>
  </message>
  <message>
   <source>it begins with the bytes%1</source>
   <translation>它以这些字节开头：%1</translation>
  </message>
  <message>
   <source>it is %1</source>
   <translation>它是%1</translation>
  </message>
  <message>
   <source>it is %1, not a file</source>
   <translation>它是%1，不是文件</translation>
  </message>
  <message>
   <source>it is a device, FIFO or socket, not a file</source>
   <translation>它是设备、FIFO 或套接字，不是文件</translation>
  </message>
  <message>
   <source>it is a directory</source>
   <translation>它是目录</translation>
  </message>
  <message>
   <source>it is an SVG drawing</source>
   <translation>它是 SVG 图</translation>
  </message>
  <message>
   <source>it is not a session of this program</source>
   <translation>这不是本程序的会话</translation>
  </message>
  <message>
   <source>it is text, &quot;%1&quot;</source>
   <translation>它是文本，&quot;%1&quot;</translation>
  </message>
  <message>
   <source>it is the same file as %1, which is protected</source>
   <translation>它与受保护的 %1 是同一文件</translation>
  </message>
  <message>
   <source>it was started without</source>
   <translation>启动时要求不过滤</translation>
  </message>
  <message>
   <source>it was written by a newer version of Warpscope</source>
   <translation>由更新版本的 Warpscope 写入</translation>
  </message>
  <message>
   <source>its decoder asked the system for what no decoder needs, and was ended; the file may be made to do harm</source>
   <translation>解码器向系统请求了解码并不需要的东西，已被终止；此文件可能是恶意制作的</translation>
  </message>
  <message>
   <source>its decoder crashed (SIG%1), because the file is damaged or made to do harm; the rest of the program is unharmed</source>
   <translation>解码器崩溃（SIG%1），因为文件已损坏或是恶意制作的；程序的其余部分未受影响</translation>
  </message>
  <message>
   <source>its input is %1 x %2, its second input %3 x %4; both must be of one size</source>
   <translation>输入为 %1 x %2，第二输入为 %3 x %4；两者尺寸必须相同</translation>
  </message>
  <message>
   <source>its parts do not fit together</source>
   <translation>各部分互不相符</translation>
  </message>
  <message>
   <source>its second input is the second image, but there is none</source>
   <translation>第二输入是第二图像，但没有打开</translation>
  </message>
  <message>
   <source>its second input is the step '%1', but there is none of that name</source>
   <translation>第二输入是步骤“%1”，但没有该名称的步骤</translation>
  </message>
  <message>
   <source>its second input is the step '%1', which %2; a step can take what comes before it</source>
   <translation>第二输入是步骤“%1”，它%2；步骤只能取用其前面的结果</translation>
  </message>
  <message>
   <source>its sides are wrong</source>
   <translation>边长错误</translation>
  </message>
  <message>
   <source>its size changed while it was read</source>
   <translation>读取过程中文件大小发生变化</translation>
  </message>
  <message>
   <source>its step kept</source>
   <translation>其步骤已保留</translation>
  </message>
  <message>
   <source>its tags claim %1 MiB where the file has %2 MiB; above the limit of %3 MiB they may not share their bytes</source>
   <translation>其标签声称 %1 MiB，而文件只有 %2 MiB；超过 %3 MiB 的上限时不得共用字节</translation>
  </message>
  <message>
   <source>its tags take %1 MiB, more than the limit of %2 MiB; the largest is %3</source>
   <translation>其标签占 %1 MiB，超过 %2 MiB 的上限；最大的是%3</translation>
  </message>
  <message>
   <source>its tiles have more than %1 million pixels</source>
   <translation>其图块超过 %1 百万像素</translation>
  </message>
  <message>
   <source>keep open, open as second image</source>
   <translation>保持打开，作为第二图像打开</translation>
  </message>
  <message>
   <source>kept</source>
   <translation>保留</translation>
  </message>
  <message>
   <source>kernel only</source>
   <translation>仅内核</translation>
  </message>
  <message>
   <source>kernel, custom filter, matrix, sharpen, emboss</source>
   <translation>卷积核, 自定义滤波, 矩阵, 锐化, 浮雕</translation>
  </message>
  <message>
   <source>kernels </source>
   <translation>内核 </translation>
  </message>
  <message>
   <source>kernels %1</source>
   <translation>内核 %1</translation>
  </message>
  <message>
   <source>kernels : 1 thread</source>
   <translation>内核 : 单线程</translation>
  </message>
  <message>
   <source>kernels alone %1</source>
   <translation>仅内核 %1</translation>
  </message>
  <message>
   <source>label (%1 bits)</source>
   <translation>标签（%1 位）</translation>
  </message>
  <message>
   <source>larger than %1 MiB</source>
   <translation>大于 %1 MiB</translation>
  </message>
  <message>
   <source>lasted, ms</source>
   <translation>持续，ms</translation>
  </message>
  <message>
   <source>later steps can take what it gives</source>
   <translation>后面的步骤可以使用其输出</translation>
  </message>
  <message>
   <source>layers and other data beside the image alone</source>
   <translation>图像之外的图层和其他数据</translation>
  </message>
  <message>
   <source>leave</source>
   <translation>退出</translation>
  </message>
  <message>
   <source>less than 1%</source>
   <translation>不到 1%</translation>
  </message>
  <message>
   <source>level %1</source>
   <translation>级别 %1</translation>
  </message>
  <message>
   <source>levels</source>
   <translation>级</translation>
  </message>
  <message>
   <source>levels of the selected step (threshold, levels, curves); with Shift by ten</source>
   <translation>所选步骤（阈值、色阶、曲线）的级别；加 Shift 每次十级</translation>
  </message>
  <message>
   <source>levels²</source>
   <translation>级别²</translation>
  </message>
  <message>
   <source>libjpeg gave rows of an unexpected shape</source>
   <translation>libjpeg 给出的行形状异常</translation>
  </message>
  <message>
   <source>libpng refused the colour profile, it was not kept</source>
   <translation>libpng 拒绝该颜色配置文件，未保留</translation>
  </message>
  <message>
   <source>libpng: %1</source>
   <translation>libpng 报告：“%1”</translation>
  </message>
  <message>
   <source>libtiff: %1</source>
   <translation>libtiff 报告：“%1”</translation>
  </message>
  <message>
   <source>libwebp is not the version that this was built with</source>
   <translation>libwebp 不是构建时所用的版本</translation>
  </message>
  <message>
   <source>line %1, column %2: %3</source>
   <translation>第 %1 行第 %2 列：%3</translation>
  </message>
  <message>
   <source>line %1: %2</source>
   <translation>第 %1 行：%2</translation>
  </message>
  <message>
   <source>live update is paused: not measured</source>
   <translation>实时更新已暂停：不测量</translation>
  </message>
  <message>
   <source>logarithmic</source>
   <translation>对数</translation>
  </message>
  <message>
   <source>low is %1 and high is %2, but low must be below high</source>
   <translation>低为 %1、高为 %2，但低必须小于高</translation>
  </message>
  <message>
   <source>lower</source>
   <translation>下</translation>
  </message>
  <message>
   <source>luminance</source>
   <translation>亮度</translation>
  </message>
  <message>
   <source>m is the median of the (2 r + 1)^2 values of the square, edge repeated, channel by channel; t the threshold, times 257 for 16 bits, over 255 for float.
both: m where |v - m| &gt; t; bright: m where v - m &gt; t; dark: m where m - v &gt; t; else v.
Float: NaN stays.</source>
   <translation>m 为方形 (2 r + 1)^2 个值的中值，重复边缘，逐通道；t 为阈值，16 位乘 257，浮点除 255。
两者：|v - m| &gt; t 时为 m；亮：v - m &gt; t 时为 m；暗：m - v &gt; t 时为 m；否则为 v。
浮点：NaN 不变。</translation>
  </message>
  <message>
   <source>made by the program, 8 bits, RGB</source>
   <translation>由程序生成，8 位，RGB</translation>
  </message>
  <message>
   <source>making %1…</source>
   <translation>正在生成 %1…</translation>
  </message>
  <message>
   <source>masked borders of the sensor, %1 x %2 in all, were left out</source>
   <translation>传感器的遮蔽边框已忽略，全幅为 %1 x %2</translation>
  </message>
  <message>
   <source>maxval %1 is not between 1 and 65535</source>
   <translation>最大值 %1 不在 1 到 65535 之间</translation>
  </message>
  <message>
   <source>measured %1 h ago</source>
   <translation>测于 %1 小时前</translation>
  </message>
  <message>
   <source>measured %1 min ago</source>
   <translation>测于 %1 分钟前</translation>
  </message>
  <message>
   <source>measured %1 s ago</source>
   <translation>测于 %1 秒前</translation>
  </message>
  <message>
   <source>measured just now</source>
   <translation>刚刚测量</translation>
  </message>
  <message>
   <source>measuring %1…</source>
   <translation>正在测量 %1…</translation>
  </message>
  <message>
   <source>measuring step %1 of %2…</source>
   <translation>正在测量步骤 %1，共 %2…</translation>
  </message>
  <message>
   <source>measuring when idle</source>
   <translation>空闲时测量</translation>
  </message>
  <message>
   <source>median %1</source>
   <translation>中位数 %1</translation>
  </message>
  <message>
   <source>median time, ms</source>
   <translation>中位时间，ms</translation>
  </message>
  <message>
   <source>median, ms</source>
   <translation>中位数，ms</translation>
  </message>
  <message>
   <source>median, ms, logarithmic</source>
   <translation>中位数，ms，对数</translation>
  </message>
  <message>
   <source>minimum to maximum</source>
   <translation>最小值到最大值</translation>
  </message>
  <message>
   <source>mirror, flip, turn, rotate, transpose, 90</source>
   <translation>镜像, 翻转, 旋转, 转置, 90</translation>
  </message>
  <message>
   <source>mirrored left to right</source>
   <translation>左右镜像</translation>
  </message>
  <message>
   <source>mirrored top to bottom</source>
   <translation>上下镜像</translation>
  </message>
  <message>
   <source>mix, combine, overlay, multiply, subtract, average, two images, calculator, mask</source>
   <translation>混合, 合并, 叠加, 相乘, 相减, 平均, 两幅图像, 计算器, 蒙版</translation>
  </message>
  <message>
   <source>more greys for dark values</source>
   <translation>暗值使用更多灰度</translation>
  </message>
  <message>
   <source>more than 4,294,967,295 runs of pixels: labels have 32 bits</source>
   <translation>像素游程超过 4,294,967,295 个：标签只有 32 位</translation>
  </message>
  <message>
   <source>mosaic of the sensor</source>
   <translation>传感器马赛克</translation>
  </message>
  <message>
   <source>move along the axis</source>
   <translation>沿轴移动</translation>
  </message>
  <message>
   <source>move it by 1, with Shift by 10; with Ctrl move its far corner</source>
   <translation>移动 1，加 Shift 移动 10；加 Ctrl 移动其远角</translation>
  </message>
  <message>
   <source>move sideways</source>
   <translation>横向移动</translation>
  </message>
  <message>
   <source>move the image; side by side both keep the same place in the middle</source>
   <translation>移动图像；并排时两侧保持同一中心位置</translation>
  </message>
  <message>
   <source>move the point by 1, with Shift by 10</source>
   <translation>点移动 1，加 Shift 移动 10</translation>
  </message>
  <message>
   <source>moved above </source>
   <translation>变动超过 </translation>
  </message>
  <message>
   <source>moved by the arrow keys; Return pins the pixel</source>
   <translation>用方向键移动；回车固定该像素</translation>
  </message>
  <message>
   <source>ms</source>
   <translation>ms</translation>
  </message>
  <message>
   <source>must be a list</source>
   <translation>必须是列表</translation>
  </message>
  <message>
   <source>must be a list of points [x, y] or of equally long rows of whole numbers</source>
   <translation>必须是点 [x, y] 的列表，或由等长的整数行组成的列表</translation>
  </message>
  <message>
   <source>must be a number, a name or a list, is %1</source>
   <translation>必须是数、名称或列表，现为 %1</translation>
  </message>
  <message>
   <source>must be an object</source>
   <translation>必须是对象</translation>
  </message>
  <message>
   <source>must be odd, or 0 for automatic</source>
   <translation>必须为奇数，或为 0（自动）</translation>
  </message>
  <message>
   <source>n</source>
   <comment>number of samples</comment>
   <translation>n</translation>
  </message>
  <message>
   <source>n %1 · %2–%3 ms</source>
   <translation>n %1 · %2–%3 ms</translation>
  </message>
  <message>
   <source>n = (2 r + 1)^2 pixels, S their sum, S2 the sum of their squares, edge repeated; M the white level.
variance: min(M, floor((n S2 - S^2) / n^2)), in squared levels; standard deviation: the floor of the square root of floor((n S2 - S^2) / n^2); range: maximum - minimum. Exact.
Float: the mean of the squared deviations from the mean, in double: of each column of the square first, then of its columns; its root; rounded to float, not cut.</source>
   <translation>n = (2 r + 1)^2 个像素，S 为其和，S2 为其平方和，重复边缘；M 为白电平。
方差：min(M, floor((n S2 - S^2) / n^2))，以级别平方计；标准差：floor((n S2 - S^2) / n^2) 的平方根取整；极差：最大值 - 最小值。精确。
浮点：与均值之差的平方的均值，用双精度：先对方形各列，再对其各列；取其平方根；舍入到浮点，不截断。</translation>
  </message>
  <message>
   <source>n(k) counts, C(k) cumulative, n pixels, L = 256 (65,536 for 16 bits).
Classic: t(k) = (2 (L-1) C(k) + n) / (2 n) in integers.
Full: t(k) = (2 (L-1) (C(k) - m) + (n - m)) / (2 (n - m)) with m the count of the darkest level present; the identity if n = m; 0 below that level.
Float: 65,536 bins over the range [lo, hi] of the finite values of the channel (or of luma), k = min(65535, floor((v - lo) 65536 / (hi - lo))), t(k) as for 16 bits from the finite values, result t(k) / 65535; -inf has k = 0, inf 65535, NaN stays NaN; unchanged if lo = hi.
Luma on colour: R' = min(L-1, (2 R t(Y) + Y) / (2 Y)), G and B alike; where Y = 0 the pixel is unchanged. Y is BT.601 luma. Float: R' = R t(Y) / 65535 / Y, not limited; where Y is infinite, 0 for a finite R and t(Y) / 65535 for an infinite one.</source>
   <translation>n(k) 为计数，C(k) 为累积，n 为像素数，L = 256（16 位为 65,536）。
经典：t(k) = (2 (L-1) C(k) + n) / (2 n)，整数运算。
全范围：t(k) = (2 (L-1) (C(k) - m) + (n - m)) / (2 (n - m))，m 为出现的最暗级别的计数；n = m 时不变；该级别以下为 0。
浮点：在通道（或亮度）有限值的范围 [lo, hi] 上分 65,536 个区间，k = min(65535, floor((v - lo) 65536 / (hi - lo)))，t(k) 同 16 位，由有限值得出，结果 t(k) / 65535；-inf 的 k = 0，inf 为 65535，NaN 仍为 NaN；lo = hi 时不变。
彩色按亮度：R' = min(L-1, (2 R t(Y) + Y) / (2 Y))，G、B 同；Y = 0 处像素不变。Y 为 BT.601 亮度。浮点：R' = R t(Y) / 65535 / Y，不限幅；Y 无穷时，有限的 R 得 0，无穷的 R 得 t(Y) / 65535。</translation>
  </message>
  <message>
   <source>names a step, so that later steps can take what it gives</source>
   <translation>给步骤命名，使后面的步骤可取用其结果</translation>
  </message>
  <message>
   <source>negative, opposite, reverse</source>
   <translation>负片, 底片, 反转</translation>
  </message>
  <message>
   <source>next point, a new one</source>
   <translation>下一点、新点</translation>
  </message>
  <message>
   <source>nl_means takes %1 without integral images only: sums of float samples are not exact</source>
   <translation>nl_means 仅在不用积分图时接受%1：浮点样本的和不精确</translation>
  </message>
  <message>
   <source>no GPU: %1</source>
   <translation>没有 GPU：%1</translation>
  </message>
  <message>
   <source>no NVIDIA GPU was found</source>
   <translation>未找到 NVIDIA GPU</translation>
  </message>
  <message>
   <source>no NVIDIA driver is installed</source>
   <translation>未安装 NVIDIA 驱动</translation>
  </message>
  <message>
   <source>no date</source>
   <translation>无日期</translation>
  </message>
  <message>
   <source>no figure: %1</source>
   <translation>无数字：%1</translation>
  </message>
  <message>
   <source>no file can be made in the folder %1: %2</source>
   <translation>无法在文件夹 %1 中建立文件：%2</translation>
  </message>
  <message>
   <source>no good name, or too many presets</source>
   <translation>名称不可用，或预设过多</translation>
  </message>
  <message>
   <source>no handles for step %1, %2: its input is not shown</source>
   <translation>步骤 %1“%2”在此没有手柄：未显示其输入</translation>
  </message>
  <message>
   <source>no handles for step %1, %2: the result has sums or numbers of objects, no levels; its menu can show what this step gives</source>
   <translation>第 %1 步（%2）没有手柄：结果是累加和或对象编号，没有灰度级；可用其菜单显示此步的输出</translation>
  </message>
  <message>
   <source>no measured results</source>
   <translation>没有测量结果</translation>
  </message>
  <message>
   <source>no memory for a scope</source>
   <translation>没有内存用于示波器</translation>
  </message>
  <message>
   <source>no samples</source>
   <translation>没有样本</translation>
  </message>
  <message>
   <source>no socket: %1</source>
   <translation>没有套接字：%1</translation>
  </message>
  <message>
   <source>no such channel</source>
   <translation>没有该通道</translation>
  </message>
  <message>
   <source>no such file or folder</source>
   <translation>没有此文件或文件夹</translation>
  </message>
  <message>
   <source>noisy</source>
   <translation>波动大</translation>
  </message>
  <message>
   <source>noisy %1</source>
   <translation>波动大 %1</translation>
  </message>
  <message>
   <source>noisy in both</source>
   <translation>双方波动大</translation>
  </message>
  <message>
   <source>noisy now</source>
   <translation>现在波动大</translation>
  </message>
  <message>
   <source>noisy then</source>
   <translation>先前波动大</translation>
  </message>
  <message>
   <source>noisy there: %1 to %2 ms</source>
   <translation>该处波动大：%1 至 %2 ms</translation>
  </message>
  <message>
   <source>noisy: %1</source>
   <translation>波动大：%1</translation>
  </message>
  <message>
   <source>noisy: %1–%2 ms</source>
   <translation>波动大：%1–%2 ms</translation>
  </message>
  <message>
   <source>noisy: both</source>
   <translation>波动大：双方</translation>
  </message>
  <message>
   <source>noisy: left</source>
   <translation>波动大：左</translation>
  </message>
  <message>
   <source>noisy: right</source>
   <translation>波动大：右</translation>
  </message>
  <message>
   <source>none</source>
   <translation>无</translation>
  </message>
  <message>
   <source>none</source>
   <comment>no published figure</comment>
   <translation>无</translation>
  </message>
  <message>
   <source>none at %1</source>
   <translation>%1 处没有</translation>
  </message>
  <message>
   <source>none: %1</source>
   <translation>无：%1</translation>
  </message>
  <message>
   <source>none: results differ</source>
   <translation>无：结果不同</translation>
  </message>
  <message>
   <source>not UTF-8 at byte %1</source>
   <translation>第 %1 字节处不是 UTF-8</translation>
  </message>
  <message>
   <source>not a regular file</source>
   <translation>不是普通文件</translation>
  </message>
  <message>
   <source>not an image this program reads: %1; it reads %2</source>
   <translation>不是本程序能读取的图像：%1；可读取 %2</translation>
  </message>
  <message>
   <source>not compared</source>
   <translation>未比较</translation>
  </message>
  <message>
   <source>not enough GPU memory (%1)</source>
   <translation>GPU 内存不足（%1）</translation>
  </message>
  <message>
   <source>not enough memory</source>
   <translation>内存不足</translation>
  </message>
  <message>
   <source>not enough memory for %1 bytes</source>
   <translation>内存不足以容纳 %1 字节</translation>
  </message>
  <message>
   <source>not enough memory for %1 copies</source>
   <translation>内存不足以容纳 %1 份副本</translation>
  </message>
  <message>
   <source>not enough memory for an image of %1 x %2 pixels (%3 MiB)</source>
   <translation>内存不足以容纳 %1 x %2 像素的图像（%3 MiB）</translation>
  </message>
  <message>
   <source>not enough memory for the TIFF</source>
   <translation>内存不足以容纳 TIFF</translation>
  </message>
  <message>
   <source>not enough memory for this chain</source>
   <translation>内存不足以完成此处理链</translation>
  </message>
  <message>
   <source>not enough memory for this step</source>
   <translation>内存不足以完成此步骤</translation>
  </message>
  <message>
   <source>not enough memory for this table</source>
   <translation>内存不足以容纳此表</translation>
  </message>
  <message>
   <source>not enough memory to decode the JPEG</source>
   <translation>内存不足，无法解码 JPEG</translation>
  </message>
  <message>
   <source>not enough memory to decode the RAW file</source>
   <translation>内存不足，无法解码 RAW 文件</translation>
  </message>
  <message>
   <source>not enough memory to decode the TIFF</source>
   <translation>内存不足，无法解码 TIFF</translation>
  </message>
  <message>
   <source>not enough memory to decode the WebP</source>
   <translation>内存不足，无法解码 WebP</translation>
  </message>
  <message>
   <source>not known</source>
   <translation>未知</translation>
  </message>
  <message>
   <source>not measured: %1</source>
   <translation>未测量：%1</translation>
  </message>
  <message>
   <source>not pinned: the system moved them as it liked</source>
   <translation>未固定：由系统随意调度</translation>
  </message>
  <message>
   <source>not recorded</source>
   <translation>未记录</translation>
  </message>
  <message>
   <source>not repeatable: its result changes from one run to the next</source>
   <translation>不可重复：各次运行的结果不同</translation>
  </message>
  <message>
   <source>nothing else</source>
   <translation>没有其他</translation>
  </message>
  <message>
   <source>nothing to time: choose operations, sizes or an image, backends, and warm or cold</source>
   <translation>没有可测的内容：请选择运算、尺寸或图像、计算设备，以及热或冷</translation>
  </message>
  <message>
   <source>number of the object</source>
   <translation>对象编号</translation>
  </message>
  <message>
   <source>object</source>
   <translation>对象</translation>
  </message>
  <message>
   <source>of a file that holds several images</source>
   <translation>含多幅图像的文件</translation>
  </message>
  <message>
   <source>of an image without a file; Run again repeats it</source>
   <translation>属于没有文件的图像；可用“重新运行”重复</translation>
  </message>
  <message>
   <source>of at most a million pixels, evenly spread</source>
   <translation>至多一百万像素，均匀分布</translation>
  </message>
  <message>
   <source>of luma: the histogram, a box from percentile 25 to 75 with the median, whiskers to minimum and maximum, a cross at the mean</source>
   <translation>亮度：直方图；箱体从第 25 到第 75 百分位数，内有中位数；须线到最小值和最大值；十字为均值</translation>
  </message>
  <message>
   <source>of two images that are compared</source>
   <translation>所比较的两幅图像的</translation>
  </message>
  <message>
   <source>of what each step gives</source>
   <translation>各步骤的输出</translation>
  </message>
  <message>
   <source>off</source>
   <translation>关</translation>
  </message>
  <message>
   <source>old-style JPEG compression</source>
   <translation>旧式 JPEG 压缩</translation>
  </message>
  <message>
   <source>on</source>
   <translation>开</translation>
  </message>
  <message>
   <source>on the screen alone; off: as stored</source>
   <translation>只在屏幕上；关闭：按存储值</translation>
  </message>
  <message>
   <source>one call would take about %1 and could not be cancelled</source>
   <translation>一次调用约需 %1 且无法取消</translation>
  </message>
  <message>
   <source>one image pixel is one screen pixel</source>
   <translation>一个图像像素对应一个屏幕像素</translation>
  </message>
  <message>
   <source>one more image</source>
   <translation>另一幅图像</translation>
  </message>
  <message>
   <source>one or two values of the selected step on a grid of pictures</source>
   <translation>以图片网格显示所选步骤的一两个参数取值</translation>
  </message>
  <message>
   <source>one round</source>
   <translation>一轮</translation>
  </message>
  <message>
   <source>one step</source>
   <translation>一个步骤</translation>
  </message>
  <message>
   <source>one step; with Shift ten, with Ctrl a tenth</source>
   <translation>一步；加 Shift 十步，加 Ctrl 十分之一</translation>
  </message>
  <message>
   <source>one thread</source>
   <translation>单线程</translation>
  </message>
  <message>
   <source>onto the picture: opens it; onto the row of a second image: takes it as that</source>
   <translation>拖到图像上：打开；拖到第二图像栏：作为第二图像</translation>
  </message>
  <message>
   <source>opens it</source>
   <translation>打开</translation>
  </message>
  <message>
   <source>opens it as second image, for steps that take one</source>
   <translation>作为第二图像打开，用于需要它的步骤</translation>
  </message>
  <message>
   <source>operations a byte that must move</source>
   <translation>每个必须传送的字节的运算次数</translation>
  </message>
  <message>
   <source>operations a second, 10^9</source>
   <translation>每秒运算次数，10^9</translation>
  </message>
  <message>
   <source>other keys for the commands</source>
   <translation>为命令更换快捷键</translation>
  </message>
  <message>
   <source>other names of the old file (hard links) keep what it held</source>
   <translation>旧文件的其他名称（硬链接）保留原内容</translation>
  </message>
  <message>
   <source>others: 640, 1920x1080</source>
   <translation>其他：640, 1920x1080</translation>
  </message>
  <message>
   <source>out(i, j) = in(x + i, y + j)</source>
   <translation>out(i, j) = in(x + i, y + j)</translation>
  </message>
  <message>
   <source>outline: source</source>
   <translation>轮廓：原图</translation>
  </message>
  <message>
   <source>outside the result</source>
   <translation>结果之外</translation>
  </message>
  <message>
   <source>outside the source</source>
   <translation>原图之外</translation>
  </message>
  <message>
   <source>p10 to p90</source>
   <translation>p10 至 p90</translation>
  </message>
  <message>
   <source>p10, ms</source>
   <translation>p10，ms</translation>
  </message>
  <message>
   <source>p10–p90, ms</source>
   <translation>p10–p90，ms</translation>
  </message>
  <message>
   <source>p90, ms</source>
   <translation>p90，ms</translation>
  </message>
  <message>
   <source>page</source>
   <translation>页面</translation>
  </message>
  <message>
   <source>palette with alpha</source>
   <translation>带 alpha 的调色板</translation>
  </message>
  <message>
   <source>parameter</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>pass %1 of %2 of the interlaced picture: %3</source>
   <translation>隔行图像的第 %1/%2 遍：%3</translation>
  </message>
  <message>
   <source>passed over</source>
   <translation>已略过</translation>
  </message>
  <message>
   <source>pause and go on</source>
   <translation>暂停和继续</translation>
  </message>
  <message>
   <source>percentile</source>
   <translation>百分位</translation>
  </message>
  <message>
   <source>percentiles 0.1 to 99.9</source>
   <translation>百分位 0.1 到 99.9</translation>
  </message>
  <message>
   <source>permission denied</source>
   <translation>没有权限</translation>
  </message>
  <message>
   <source>photometric interpretation %1</source>
   <translation>光度解释 %1</translation>
  </message>
  <message>
   <source>pinned: %1</source>
   <translation>固定：%1</translation>
  </message>
  <message>
   <source>pins a pixel; a click on its row in the inspector goes there</source>
   <translation>固定一个像素；单击检查器中的该行可跳到该处</translation>
  </message>
  <message>
   <source>pipeline</source>
   <translation>处理链</translation>
  </message>
  <message>
   <source>pipeline changed: measuring when idle</source>
   <translation>处理链已更改：空闲时测量</translation>
  </message>
  <message>
   <source>pixels</source>
   <translation>像素</translation>
  </message>
  <message>
   <source>pixels of that range stand out in the image</source>
   <translation>该范围的像素在图像中突出显示</translation>
  </message>
  <message>
   <source>pixels per bin</source>
   <translation>每区间像素数</translation>
  </message>
  <message>
   <source>pixels per bin, log</source>
   <translation>每区间像素数，对数</translation>
  </message>
  <message>
   <source>pixels that the file leaves out have its first colour</source>
   <translation>文件未给出的像素取第一种颜色</translation>
  </message>
  <message>
   <source>place</source>
   <translation>位置</translation>
  </message>
  <message>
   <source>place (threads)</source>
   <translation>位置（线程）</translation>
  </message>
  <message>
   <source>plain text</source>
   <translation>纯文本</translation>
  </message>
  <message>
   <source>pseudocolor, lookup table, lut, heat map, heatmap, colormap, viridis, jet</source>
   <translation>伪彩色, 查找表, 热图, 色图, lut, viridis, jet</translation>
  </message>
  <message>
   <source>px</source>
   <translation>px</translation>
  </message>
  <message>
   <source>raw sensor (colour filter array) samples</source>
   <translation>原始传感器（滤色阵列）样本</translation>
  </message>
  <message>
   <source>reading the timings</source>
   <translation>读取用时</translation>
  </message>
  <message>
   <source>recorded %1</source>
   <translation>录制 %1</translation>
  </message>
  <message>
   <source>recorded, played at its own pace</source>
   <translation>录制结果，按其原速播放</translation>
  </message>
  <message>
   <source>recorded: %1</source>
   <translation>录制：%1</translation>
  </message>
  <message>
   <source>rectangle, ellipse, freehand</source>
   <translation>矩形、椭圆、手绘</translation>
  </message>
  <message>
   <source>red</source>
   <translation>红</translation>
  </message>
  <message>
   <source>red stripes at white, blue stripes at black</source>
   <translation>红色条纹为白，蓝色条纹为黑</translation>
  </message>
  <message>
   <source>red, green, blue, alpha, all</source>
   <translation>红、绿、蓝、alpha、全部</translation>
  </message>
  <message>
   <source>reduced copies</source>
   <translation>缩小的副本</translation>
  </message>
  <message>
   <source>reference</source>
   <translation>参考</translation>
  </message>
  <message>
   <source>region</source>
   <translation>区域</translation>
  </message>
  <message>
   <source>regions: rectangle, ellipse, freehand</source>
   <translation>区域：矩形、椭圆、手绘</translation>
  </message>
  <message>
   <source>removes a point</source>
   <translation>移除一个点</translation>
  </message>
  <message>
   <source>resolution (JFIF)</source>
   <translation>分辨率 (JFIF)</translation>
  </message>
  <message>
   <source>restart to use the GPU again</source>
   <translation>重新启动后可再次使用 GPU</translation>
  </message>
  <message>
   <source>result</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>result %1</source>
   <translation>结果 %1</translation>
  </message>
  <message>
   <source>result minus source, amplified by [ and ]</source>
   <translation>结果减原图，用 [ 和 ] 调整放大倍数</translation>
  </message>
  <message>
   <source>results differ from those of one thread</source>
   <translation>结果与单线程的不同</translation>
  </message>
  <message>
   <source>right</source>
   <translation>右</translation>
  </message>
  <message>
   <source>ring around the marker: cold cache</source>
   <translation>标记外有圈：冷缓存</translation>
  </message>
  <message>
   <source>roofline</source>
   <translation>屋顶线</translation>
  </message>
  <message>
   <source>row %1 has %2-bit samples that 32-bit float cannot hold exactly</source>
   <translation>第 %1 行有 %2 位样本，32 位浮点无法精确表示</translation>
  </message>
  <message>
   <source>row %1 has 32-bit samples that 32-bit float cannot hold exactly</source>
   <translation>第 %1 行有 32 位样本，32 位浮点无法精确表示</translation>
  </message>
  <message>
   <source>row %1 has float64 samples that float32 cannot hold exactly</source>
   <translation>第 %1 行有 float64 样本，float32 无法精确表示</translation>
  </message>
  <message>
   <source>row %1 of the file has %2-bit samples that 32-bit float cannot hold exactly</source>
   <translation>文件第 %1 行有 %2 位样本，32 位浮点无法精确表示</translation>
  </message>
  <message>
   <source>rows between ; of whole numbers, both sides odd and at most %1</source>
   <translation>整数行以 ; 分隔，两边均为奇数且至多 %1</translation>
  </message>
  <message>
   <source>run lengths</source>
   <translation>行程编码</translation>
  </message>
  <message>
   <source>run-length coding in a top-down file</source>
   <translation>自上而下的文件中使用了行程编码</translation>
  </message>
  <message>
   <source>running</source>
   <translation>运行中</translation>
  </message>
  <message>
   <source>s = n / N, f = max(s, 1), centre c = (x + 0.5) s; taps int(c - R f + 0.5) to int(c + R f + 0.5) - 1 inside the image, weights k((i + 0.5 - c) / f), normalised. R = 0.5 (area), 1 (bilinear), 2 (bicubic, a = -0.5), 3 (lanczos3). Nearest: ((2 x + 1) n) / (2 N).
Fixed point of 2^16 (16-bit samples: 2^30): w_i = round(S c_i) - round(S c_(i-1)), c the running sum. Row pass with 8 more bits, then column pass; both rounded half up and clamped. Float: weights and sums in double, rounded after each pass.
Alpha is a channel like the others.</source>
   <translation>s = n / N，f = max(s, 1)，中心 c = (x + 0.5) s；抽头从 int(c - R f + 0.5) 到 int(c + R f + 0.5) - 1，限于图像之内，权重 k((i + 0.5 - c) / f)，归一化。R = 0.5（面积）、1（双线性）、2（双三次，a = -0.5）、3 (lanczos3)。最近邻：((2 x + 1) n) / (2 N)。
定点 2^16（16 位样本：2^30）：w_i = round(S c_i) - round(S c_(i-1))，c 为累加和。先行后列，行多保留 8 位；两遍均四舍五入并限幅。浮点：权重与和用双精度，每遍后舍入。
Alpha 与其他通道一样处理。</translation>
  </message>
  <message>
   <source>s = sum of weight times sample, channel by channel; d the divisor, or the sum of the weights where that is 0, or 1 where both are.
Result: floor((2 s + d) / (2 d)) + offset, limited to 0 to white; 16 bits: offset times 257. Exact whatever the weights are.
Float: s / d + offset / 255, not limited; sums in double, row by row from above, from the left, weights of 0 left out, rounded to float once.
Beyond the border the edge pixel is repeated.</source>
   <translation>s = 权重乘样本之和，逐通道；d 为除数，为 0 时取权重之和，两者都为 0 时取 1。
结果：floor((2 s + d) / (2 d)) + offset，限于 0 到白；16 位：offset 乘 257。无论权重如何均精确。
浮点：s / d + offset / 255，不限幅；求和用双精度，自上逐行、自左，略去 0 权重，最后舍入到浮点一次。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>s = sum over (2 r + 1)^2 pixels, n = (2 r + 1)^2.
Result: (2 s + n) / (2 n) in integers, which is s / n rounded half up.
Float: s in double, of the samples of the window alone, so that neither NaN nor large values reach farther; s / n rounded to float.
Beyond the border the edge pixel is repeated.</source>
   <translation>s = (2 r + 1)^2 个像素之和，n = (2 r + 1)^2。
结果：(2 s + n) / (2 n)，整数运算，即 s / n 四舍五入。
浮点：s 用双精度，只由窗口内的样本得出，NaN 和大值不会影响更远处；s / n 取整为 float。
边界之外重复边缘像素。</translation>
  </message>
  <message>
   <source>same algorithm, %1</source>
   <translation>同一算法，%1</translation>
  </message>
  <message>
   <source>sample value</source>
   <translation>样本值</translation>
  </message>
  <message>
   <source>samples</source>
   <translation>样本</translation>
  </message>
  <message>
   <source>samples are above the white level %1, maxval is %2</source>
   <translation>有样本超过白电平 %1，最大值为 %2</translation>
  </message>
  <message>
   <source>samples are as stored; the file says value = %1 + %2 * sample</source>
   <translation>样本按存储原样；文件说明 值 = %1 + %2 * 样本</translation>
  </message>
  <message>
   <source>samples are kept, but %1 has no place for their white level %2</source>
   <translation>样本已保留，但 %1 无处存放其白电平 %2</translation>
  </message>
  <message>
   <source>samples are missing</source>
   <translation>缺少样本</translation>
  </message>
  <message>
   <source>samples are written as they lie in memory</source>
   <translation>样本按内存中的原样写入</translation>
  </message>
  <message>
   <source>samples of a sensor without colour filters</source>
   <translation>无滤色片传感器的样本</translation>
  </message>
  <message>
   <source>samples of the sensor, not a picture: one colour a pixel, %1</source>
   <translation>传感器的样本，不是图片：每像素一种颜色，%1</translation>
  </message>
  <message>
   <source>scale, size, enlarge, shrink, smaller, larger, resolution, resample, bin</source>
   <translation>缩放, 大小, 放大, 缩小, 分辨率, 重采样, 像素合并</translation>
  </message>
  <message>
   <source>seen</source>
   <translation>所见</translation>
  </message>
  <message>
   <source>select a region, in source or result; its handles resize it</source>
   <translation>在原图或结果中选择区域；用手柄调整大小</translation>
  </message>
  <message>
   <source>session</source>
   <translation>会话</translation>
  </message>
  <message>
   <source>set by hand</source>
   <translation>手动设置</translation>
  </message>
  <message>
   <source>sets the value</source>
   <translation>设定该值</translation>
  </message>
  <message>
   <source>share</source>
   <translation>份额</translation>
  </message>
  <message>
   <source>sharpen, sharpness, clarity, detail, crisp</source>
   <translation>锐化, 清晰度, 细节</translation>
  </message>
  <message>
   <source>shipped with the program</source>
   <translation>随程序附带</translation>
  </message>
  <message>
   <source>show or hide these keys</source>
   <translation>显示或隐藏这些按键</translation>
  </message>
  <message>
   <source>show the source</source>
   <translation>显示原图</translation>
  </message>
  <message>
   <source>shown upright (%1); coordinates are those of the upright image</source>
   <translation>已转正显示（%1）；坐标以转正后的图像为准</translation>
  </message>
  <message>
   <source>shows all steps again, then drops cursor, line, comparison, handles, region, marked range of the histogram, in this order; elsewhere: back to the image</source>
   <translation>恢复显示全部步骤，然后依次取消光标、剖面线、比较、手柄、区域、直方图中标出的范围；在别处：回到图像</translation>
  </message>
  <message>
   <source>side by side: moves one side alone; F links both again</source>
   <translation>并排：只移动一侧；F 重新联动</translation>
  </message>
  <message>
   <source>signed or float samples where 0 is white</source>
   <translation>以 0 为白的有符号或浮点样本</translation>
  </message>
  <message>
   <source>signed samples of %1 bits</source>
   <translation>%1 位有符号样本</translation>
  </message>
  <message>
   <source>size</source>
   <translation>尺寸</translation>
  </message>
  <message>
   <source>skipped: %1</source>
   <translation>已跳过：%1</translation>
  </message>
  <message>
   <source>slow</source>
   <translation>太慢</translation>
  </message>
  <message>
   <source>slower</source>
   <translation>更慢</translation>
  </message>
  <message>
   <source>soften, smooth, denoise, noise reduction, blur</source>
   <translation>柔化, 平滑, 去噪, 降噪, 模糊</translation>
  </message>
  <message>
   <source>source</source>
   <translation>原图</translation>
  </message>
  <message>
   <source>source %1</source>
   <translation>原图 %1</translation>
  </message>
  <message>
   <source>source and result alternately</source>
   <translation>原图与结果交替显示</translation>
  </message>
  <message>
   <source>source and result on either side of a line to drag</source>
   <translation>拖动分割线，两侧分别为原图和结果</translation>
  </message>
  <message>
   <source>source and result over each other; drag to draw the line</source>
   <translation>原图与结果重叠；拖动画线</translation>
  </message>
  <message>
   <source>source text</source>
   <translation>来源文献</translation>
  </message>
  <message>
   <source>speedup</source>
   <translation>加速比</translation>
  </message>
  <message>
   <source>speedup against the best CPU, which is 1, times</source>
   <translation>对比最快 CPU（其为 1）的加速比，倍</translation>
  </message>
  <message>
   <source>speedup against the same algorithm on %1, times</source>
   <translation>对比%1上同一算法的加速比，倍</translation>
  </message>
  <message>
   <source>speedup, times</source>
   <translation>加速比（倍）</translation>
  </message>
  <message>
   <source>split, separate, red, green, blue, alpha, plane</source>
   <translation>拆分, 分离, 红, 绿, 蓝, 透明, 平面</translation>
  </message>
  <message>
   <source>stale</source>
   <translation>已过期</translation>
  </message>
  <message>
   <source>start, ms</source>
   <translation>开始，ms</translation>
  </message>
  <message>
   <source>statistics of %1 are made on the CPU: the GPU counts 8 and 16-bit samples, which have a bin each</source>
   <translation>%1 的统计在 CPU 上计算：GPU 只统计 8 位和 16 位样本，每级一个区间</translation>
  </message>
  <message>
   <source>step %1</source>
   <translation>步骤 %1</translation>
  </message>
  <message>
   <source>step %1, %2: %3</source>
   <translation>步骤 %1，%2：%3</translation>
  </message>
  <message>
   <source>step %1, %2: step %3 is named '%4' already</source>
   <translation>步骤 %1，%2：步骤 %3 已名为“%4”</translation>
  </message>
  <message>
   <source>stopped before the end</source>
   <translation>提前停止</translation>
  </message>
  <message>
   <source>stopped: %1</source>
   <translation>已停止：%1</translation>
  </message>
  <message>
   <source>stopped: %1 of %2 rows</source>
   <translation>已停止：%2 行中的 %1 行</translation>
  </message>
  <message>
   <source>stored samples of %1 stand for no value</source>
   <translation>存储为 %1 的样本表示无值</translation>
  </message>
  <message>
   <source>straighten, turn, tilt, horizon, level</source>
   <translation>校正, 旋转, 倾斜, 地平线, 水平</translation>
  </message>
  <message>
   <source>sum (%1 bits)</source>
   <translation>积分和（%1 位）</translation>
  </message>
  <message numerus="yes">
   <source>sum of %n recorded steps</source>
   <translation>
    <numerusform>%n 个录制步骤之和</numerusform>
   </translation>
  </message>
  <message>
   <source>summed-area table, sums</source>
   <translation>求和表, 累加和</translation>
  </message>
  <message>
   <source>sums are no picture that could be converted</source>
   <translation>累加和不是可以转换的图片</translation>
  </message>
  <message>
   <source>sums became 8 bits, scaled so that the largest is 255</source>
   <translation>积分和变为 8 位，缩放使最大值为 255</translation>
  </message>
  <message>
   <source>sums do not fit into the float samples of PFM; save as TIFF or .npy</source>
   <translation>PFM 的浮点样本容纳不下累加和；请存为 TIFF 或 .npy</translation>
  </message>
  <message>
   <source>sums of %1 bits</source>
   <translation>%1 位的积分和</translation>
  </message>
  <message>
   <source>sums of 64 bits do not fit into the samples of TIFF; save as .npy</source>
   <translation>TIFF 的样本容纳不下 64 位累加和；请存为 .npy</translation>
  </message>
  <message>
   <source>t(v) = floor(ob + (ow - ob) clamp((v - b) / (w - b), 0, 1)^(1 / gamma) + 0.5), a table in double. Levels of 8 bits, times 257 for 16 bits, over 255 for float, which is not rounded to levels; NaN stays. b &gt;= w is refused. A gray image is changed whatever the channel.</source>
   <translation>t(v) = floor(ob + (ow - ob) clamp((v - b) / (w - b), 0, 1)^(1 / gamma) + 0.5)，双精度制表。以 8 位级别计，16 位乘 257，浮点除 255，浮点不取整到级别；NaN 不变。b &gt;= w 会被拒绝。无论选择哪个通道，灰度图像都会改变。</translation>
  </message>
  <message>
   <source>tag %1</source>
   <translation>标签 %1</translation>
  </message>
  <message>
   <source>takes colour only</source>
   <translation>只接受彩色</translation>
  </message>
  <message>
   <source>takes no colour: a grayscale step before it helps</source>
   <translation>不接受彩色：先加灰度化步骤即可</translation>
  </message>
  <message>
   <source>takes no float samples</source>
   <translation>不接受浮点样本</translation>
  </message>
  <message>
   <source>takes no samples of %1 bits</source>
   <translation>不接受 %1 位样本</translation>
  </message>
  <message>
   <source>takes no sums of an integral image</source>
   <translation>不接受积分图的和</translation>
  </message>
  <message>
   <source>takes no sums, labels or squared distances</source>
   <translation>不接受和、标签或距离的平方</translation>
  </message>
  <message>
   <source>takes the value, with Shift the window stays</source>
   <translation>采用该值，加 Shift 则窗口不关闭</translation>
  </message>
  <message>
   <source>ten steps, where the mouse is not over the image</source>
   <translation>十步，鼠标不在图像上时</translation>
  </message>
  <message>
   <source>text follows the header's dictionary</source>
   <translation>文件头字典之后还有文本</translation>
  </message>
  <message>
   <source>texture, variance, standard deviation, local contrast, entropy</source>
   <translation>纹理, 方差, 标准差, 局部对比度, 熵</translation>
  </message>
  <message>
   <source>the CMYK colour profile was left out</source>
   <translation>CMYK 颜色配置文件已忽略</translation>
  </message>
  <message>
   <source>the CPU clock went from %1 to %2 GHz</source>
   <translation>CPU 频率从 %1 变到 %2 GHz</translation>
  </message>
  <message>
   <source>the FITS file holds no image, only tables or headers</source>
   <translation>FITS 文件不含图像，只有表或文件头</translation>
  </message>
  <message>
   <source>the GPU clock went from %1 to %2 MHz</source>
   <translation>GPU 频率从 %1 变到 %2 MHz</translation>
  </message>
  <message>
   <source>the GPU code of %1 takes 8 and 16-bit%2 images, not %3</source>
   <translation>%1 的 GPU 代码只接受 8 位和 16 位%2图像，不接受 %3</translation>
  </message>
  <message>
   <source>the GPU code of canny takes images of up to 4,294,967,296 pixels, rows filled up to a multiple of 32</source>
   <translation>canny 的 GPU 代码只接受至多 4,294,967,296 像素的图像（每行补足到 32 的倍数后计算）</translation>
  </message>
  <message>
   <source>the GPU code of connected_components takes images of up to 4,294,967,295 pixels</source>
   <translation>connected_components 的 GPU 代码只接受至多 4,294,967,295 像素的图像</translation>
  </message>
  <message>
   <source>the GPU failed earlier (%1): restart to use the GPU again</source>
   <translation>GPU 先前已失败（%1）：重新启动后可再次使用 GPU</translation>
  </message>
  <message>
   <source>the GPU if there is one, else all cores</source>
   <translation>有 GPU 则用 GPU，否则用全部核心</translation>
  </message>
  <message>
   <source>the GPU is too old</source>
   <translation>GPU 过旧</translation>
  </message>
  <message>
   <source>the GPU was slowed down by: %1</source>
   <translation>GPU 因以下原因降速：%1</translation>
  </message>
  <message>
   <source>the JPEG has more scans than the limit of %1</source>
   <translation>JPEG 的扫描数超过上限 %1</translation>
  </message>
  <message>
   <source>the NVIDIA driver is too old: it supports CUDA %1, this program needs %2</source>
   <translation>NVIDIA 驱动过旧：支持 CUDA %1，本程序需要 %2</translation>
  </message>
  <message>
   <source>the NVIDIA driver reports: %1</source>
   <translation>NVIDIA 驱动报告：%1</translation>
  </message>
  <message>
   <source>the RAW file asks for more memory than the limit</source>
   <translation>RAW 文件要求的内存超过上限</translation>
  </message>
  <message>
   <source>the RAW header</source>
   <translation>RAW 文件头</translation>
  </message>
  <message>
   <source>the RAW samples</source>
   <translation>RAW 样本</translation>
  </message>
  <message>
   <source>the RAW samples are cut or wrong</source>
   <translation>RAW 样本被截断或有误</translation>
  </message>
  <message>
   <source>the backend recorded no kernel to be timed</source>
   <translation>后端没有记录可测量的内核</translation>
  </message>
  <message>
   <source>the best CPU (%1)</source>
   <translation>最快 CPU（%1）</translation>
  </message>
  <message>
   <source>the best CPU (%1, %2)</source>
   <translation>最快 CPU（%1，%2）</translation>
  </message>
  <message>
   <source>the best CPU itself</source>
   <translation>即最快 CPU</translation>
  </message>
  <message>
   <source>the bits of a channel mask are not in one run</source>
   <translation>某通道掩码的位不连续</translation>
  </message>
  <message>
   <source>the box around the region, of the result</source>
   <translation>结果中区域的外接矩形</translation>
  </message>
  <message>
   <source>the bytes of the file alone</source>
   <translation>仅文件的字节</translation>
  </message>
  <message>
   <source>the channel masks are all zero</source>
   <translation>通道掩码全为零</translation>
  </message>
  <message>
   <source>the channel masks overlap</source>
   <translation>通道掩码重叠</translation>
  </message>
  <message>
   <source>the colour profile</source>
   <translation>颜色配置文件</translation>
  </message>
  <message>
   <source>the colour profile cannot be used</source>
   <translation>颜色配置文件无法使用</translation>
  </message>
  <message>
   <source>the colour profile could not be put into the WebP</source>
   <translation>颜色配置文件无法放入 WebP</translation>
  </message>
  <message>
   <source>the colour profile does not fit these pixels and was not kept</source>
   <translation>颜色配置文件不适用于这些像素，未保留</translation>
  </message>
  <message>
   <source>the colour profile is damaged</source>
   <translation>颜色配置文件已损坏</translation>
  </message>
  <message>
   <source>the colour profile is damaged and was left out</source>
   <translation>颜色配置文件损坏，已忽略</translation>
  </message>
  <message>
   <source>the colour profile is damaged and was not kept</source>
   <translation>颜色配置文件已损坏，未保留</translation>
  </message>
  <message>
   <source>the colour profile is neither one of RGB nor one of gray</source>
   <translation>颜色配置文件既非 RGB 也非灰度</translation>
  </message>
  <message>
   <source>the colour profile of %1 MiB was left out: it is larger than the limit of %2 MiB</source>
   <translation>%1 MiB 的颜色配置文件已忽略：超过 %2 MiB 的上限</translation>
  </message>
  <message>
   <source>the colour profile of the screen is damaged</source>
   <translation>屏幕的颜色配置文件已损坏</translation>
  </message>
  <message>
   <source>the colour profile was left out: it is larger than the limit of %1 MiB</source>
   <translation>颜色配置文件已忽略：超过 %1 MiB 的上限</translation>
  </message>
  <message>
   <source>the colour profile was not kept, this format has no place for it</source>
   <translation>未保留颜色配置文件，此格式无处存放</translation>
  </message>
  <message>
   <source>the compressed data is wrong</source>
   <translation>压缩数据错误</translation>
  </message>
  <message>
   <source>the control group's limit held the CPUs back %1 times</source>
   <translation>控制组的限制使 CPU 受阻 %1 次</translation>
  </message>
  <message>
   <source>the crop begins at %1 = %2, beyond the %3 edge of the image, which is %4 x %5</source>
   <translation>裁剪始于 %1 = %2，超出图像的%3边缘，图像为 %4 x %5</translation>
  </message>
  <message>
   <source>the disk is full</source>
   <translation>磁盘已满</translation>
  </message>
  <message>
   <source>the disk quota is used up</source>
   <translation>磁盘配额已用完</translation>
  </message>
  <message>
   <source>the disk reported an error</source>
   <translation>磁盘报告错误</translation>
  </message>
  <message>
   <source>the extension &quot;%1&quot; is not one this program writes; use one of %2</source>
   <translation>本程序不写扩展名“%1”；请用 %2 之一</translation>
  </message>
  <message>
   <source>the file does not say what its last channel means; it is taken as alpha</source>
   <translation>文件未说明最后一个通道的含义；按 alpha 处理</translation>
  </message>
  <message>
   <source>the file ends before its first picture</source>
   <translation>文件在第一幅图像之前结束</translation>
  </message>
  <message>
   <source>the file ends early</source>
   <translation>文件提前结束</translation>
  </message>
  <message>
   <source>the file ends early, or a sample is not a number</source>
   <translation>文件提前结束，或有样本不是数字</translation>
  </message>
  <message>
   <source>the file ends inside its channel masks</source>
   <translation>文件在通道掩码处中断</translation>
  </message>
  <message>
   <source>the file ends inside its directory</source>
   <translation>文件在目录处中断</translation>
  </message>
  <message>
   <source>the file ends inside its header</source>
   <translation>文件在文件头内结束</translation>
  </message>
  <message>
   <source>the file ends inside its palette</source>
   <translation>文件在调色板处中断</translation>
  </message>
  <message>
   <source>the file ends with a digit; if it was cut there, the last sample is wrong</source>
   <translation>文件以数字结尾；若在此处被截断，最后一个样本有误</translation>
  </message>
  <message>
   <source>the file has no channels</source>
   <translation>文件没有通道</translation>
  </message>
  <message>
   <source>the file is empty</source>
   <translation>文件为空</translation>
  </message>
  <message>
   <source>the file system is read-only</source>
   <translation>文件系统只读</translation>
  </message>
  <message>
   <source>the file would be larger than the system allows</source>
   <translation>文件会超过系统允许的大小</translation>
  </message>
  <message>
   <source>the first row of the file is the lowest, as FITS has it</source>
   <translation>按 FITS 的规定，文件第一行在最下方</translation>
  </message>
  <message>
   <source>the fourth byte of the pixels is not zero; the header does not say that it is alpha, so it was left out</source>
   <translation>像素的第四个字节不为零；文件头未说明它是 alpha，故已忽略</translation>
  </message>
  <message>
   <source>the frame as it is stored, not over the frames before it</source>
   <translation>该帧按存储原样，未叠加在前面的帧上</translation>
  </message>
  <message>
   <source>the frame or the angle, to be dragged</source>
   <translation>可拖动的边框或角度</translation>
  </message>
  <message>
   <source>the group of the old file could not be kept</source>
   <translation>无法保留旧文件的所属组</translation>
  </message>
  <message>
   <source>the header does not begin with P1 to P7, Pf or PF</source>
   <translation>文件头不以 P1 到 P7、Pf 或 PF 开头</translation>
  </message>
  <message>
   <source>the header is not a dictionary</source>
   <translation>文件头不是字典</translation>
  </message>
  <message>
   <source>the header is wrong</source>
   <translation>文件头错误</translation>
  </message>
  <message>
   <source>the header lacks descr, fortran_order or shape</source>
   <translation>文件头缺少 descr、fortran_order 或 shape</translation>
  </message>
  <message>
   <source>the header of the compressed data is wrong</source>
   <translation>压缩数据的头错误</translation>
  </message>
  <message>
   <source>the header promises %1 bytes, the file has %2</source>
   <translation>文件头承诺 %1 字节，文件只有 %2 字节</translation>
  </message>
  <message>
   <source>the header says %1 x %2 pixels, a side of 0</source>
   <translation>文件头写明 %1 x %2 像素，有一边为 0</translation>
  </message>
  <message>
   <source>the header's descr is not a text</source>
   <translation>文件头的 descr 不是文本</translation>
  </message>
  <message>
   <source>the header's fortran_order is neither True nor False</source>
   <translation>文件头的 fortran_order 既非 True 也非 False</translation>
  </message>
  <message>
   <source>the header's shape is not a list of sides</source>
   <translation>文件头的 shape 不是边长列表</translation>
  </message>
  <message>
   <source>the hypervisor took %1 of the CPU time</source>
   <translation>虚拟机管理程序占用了 %1 的 CPU 时间</translation>
  </message>
  <message>
   <source>the image</source>
   <translation>该图像</translation>
  </message>
  <message>
   <source>the image as it was opened</source>
   <translation>打开时的图像</translation>
  </message>
  <message>
   <source>the image at hand</source>
   <translation>当前图像</translation>
  </message>
  <message>
   <source>the image is too small for a cold run: %1 copies of it would be needed to fill a cache of %2 MiB</source>
   <translation>图像太小，无法冷运行：需 %1 份副本才能填满 %2 MiB 的缓存</translation>
  </message>
  <message>
   <source>the image or its steps were changed</source>
   <translation>图像或其步骤已更改</translation>
  </message>
  <message>
   <source>the image shows that value</source>
   <translation>图像显示该值</translation>
  </message>
  <message>
   <source>the image's profile</source>
   <translation>图像的配置文件</translation>
  </message>
  <message>
   <source>the kernel refuses it: %1</source>
   <translation>系统内核拒绝：%1</translation>
  </message>
  <message>
   <source>the largest image that is opened, and what results may keep</source>
   <translation>可打开的最大图像，以及结果可保留的大小</translation>
  </message>
  <message>
   <source>the library does not give its samples out</source>
   <translation>库没有给出其样本</translation>
  </message>
  <message>
   <source>the list of further pages is damaged</source>
   <translation>后续页的列表已损坏</translation>
  </message>
  <message>
   <source>the machine was busy before the start (load %1)</source>
   <translation>开始前机器已繁忙（负载 %1）</translation>
  </message>
  <message>
   <source>the machine was busy during %1 (other work %2): figures are doubtful; run it again on a quiet machine</source>
   <translation>%1期间机器繁忙（其他工作 %2）：数据可疑；请在空闲的机器上重新运行</translation>
  </message>
  <message>
   <source>the maxval is missing or not a number</source>
   <translation>最大值缺失或不是数字</translation>
  </message>
  <message>
   <source>the name has no extension; use one of %1</source>
   <translation>名称没有扩展名；请用 %1 之一</translation>
  </message>
  <message>
   <source>the name is too long</source>
   <translation>名称过长</translation>
  </message>
  <message>
   <source>the number of its sides is wrong</source>
   <translation>维数错误</translation>
  </message>
  <message>
   <source>the numbers are kept, in %1 bits</source>
   <translation>保留编号，%1 位</translation>
  </message>
  <message>
   <source>the operation before or after</source>
   <translation>上一或下一运算</translation>
  </message>
  <message>
   <source>the opponent: this machine or a recorded one</source>
   <translation>对手：本机或录制的机器</translation>
  </message>
  <message>
   <source>the owner of the old file could not be kept</source>
   <translation>无法保留旧文件的所有者</translation>
  </message>
  <message>
   <source>the picture is larger than its canvas</source>
   <translation>图像大于画布</translation>
  </message>
  <message>
   <source>the picture is not what the file says</source>
   <translation>图像与文件所述不符</translation>
  </message>
  <message>
   <source>the place of the pixels is outside the file</source>
   <translation>像素数据的位置在文件之外</translation>
  </message>
  <message>
   <source>the process that decodes it gave an answer that makes no sense (%1)</source>
   <translation>解码进程给出了没有意义的回答（%1）</translation>
  </message>
  <message>
   <source>the process that decodes it gave up (status %1); the rest of the program is unharmed</source>
   <translation>解码进程已放弃（状态 %1）；程序的其余部分未受影响</translation>
  </message>
  <message>
   <source>the process that decodes it was ended from outside, as systems do that run out of memory</source>
   <translation>解码进程被外部终止，内存不足的系统会这样做</translation>
  </message>
  <message>
   <source>the program warpscope-decode is missing or turned off</source>
   <translation>程序 warpscope-decode 缺失或已关闭</translation>
  </message>
  <message>
   <source>the rectangle of %1 x %2 at (%3, %4) does not lie in the image, which is %5 x %6</source>
   <translation>位于 (%3, %4) 的 %1 x %2 矩形不在图像内，图像为 %5 x %6</translation>
  </message>
  <message>
   <source>the region lies outside the result</source>
   <translation>区域在结果之外</translation>
  </message>
  <message>
   <source>the result in 8 bits with the black and white of the screen</source>
   <translation>8 位结果，黑白点同屏幕</translation>
  </message>
  <message>
   <source>the rows of a matrix are equally long and not empty (numbers stand between spaces, rows between ;)</source>
   <translation>矩阵各行等长且不为空（数以空格分隔，行以 ; 分隔）</translation>
  </message>
  <message>
   <source>the rows take %1 bytes, the file has %2</source>
   <translation>各行需 %1 字节，文件有 %2</translation>
  </message>
  <message>
   <source>the run</source>
   <translation>运行</translation>
  </message>
  <message>
   <source>the same algorithm, %1</source>
   <translation>同一算法，%1</translation>
  </message>
  <message>
   <source>the sample scene</source>
   <translation>示例场景</translation>
  </message>
  <message>
   <source>the samples take %1 bytes, the file has %2</source>
   <translation>样本需要 %1 字节，文件只有 %2 字节</translation>
  </message>
  <message>
   <source>the scale is missing, 0 or not a number</source>
   <translation>比例缺失、为 0 或不是数字</translation>
  </message>
  <message>
   <source>the second input was converted from %1 to %2%3</source>
   <translation>第二输入已由 %1 转换为 %2%3</translation>
  </message>
  <message>
   <source>the steps are damaged, those in the window stay: %1</source>
   <translation>步骤已损坏，窗口中的步骤保持不变：%1</translation>
  </message>
  <message>
   <source>the stored colours were multiplied by alpha; divided, rounded</source>
   <translation>存储的颜色已乘以 alpha；现已除回并取整</translation>
  </message>
  <message>
   <source>the system refuses it: %1</source>
   <translation>系统拒绝：%1</translation>
  </message>
  <message>
   <source>the tuple type is too long</source>
   <translation>元组类型过长</translation>
  </message>
  <message>
   <source>the value of %1 is damaged</source>
   <translation>%1 的值已损坏</translation>
  </message>
  <message>
   <source>the whole axis again</source>
   <translation>恢复整个轴</translation>
  </message>
  <message>
   <source>the width is %1</source>
   <translation>宽度为 %1</translation>
  </message>
  <message>
   <source>there are %1 components, a table takes 200,000: leave small ones out, or smooth the image first</source>
   <translation>有 %1 个连通区域，表格最多 200,000 个：请略去小区域，或先平滑图像</translation>
  </message>
  <message>
   <source>there are extraneous bytes before a JPEG marker</source>
   <translation>JPEG 标记前有多余字节</translation>
  </message>
  <message>
   <source>there are extraneous bytes before a marker; some cameras write them</source>
   <translation>标记前有多余字节；某些相机会写入</translation>
  </message>
  <message>
   <source>there are more bytes than the limit of %1</source>
   <translation>字节数超过上限 %1</translation>
  </message>
  <message>
   <source>there are more rows than the header says</source>
   <translation>行数多于文件头所述</translation>
  </message>
  <message>
   <source>there is no %1 %2: the file has %3</source>
   <translation>没有%1 %2：文件共有 %3 个</translation>
  </message>
  <message>
   <source>there is no %1 here</source>
   <translation>此处没有 %1</translation>
  </message>
  <message>
   <source>there is no %1: taking %2</source>
   <translation>没有 %1：改用 %2</translation>
  </message>
  <message>
   <source>there is no '%1'; operations are %2; sizes are %3</source>
   <translation>没有 '%1'；运算有 %2；尺寸有 %3</translation>
  </message>
  <message>
   <source>there is no GPU</source>
   <translation>没有 GPU</translation>
  </message>
  <message>
   <source>there is no GPU %1</source>
   <translation>没有 GPU %1</translation>
  </message>
  <message>
   <source>there is no GPU code for %1</source>
   <translation>%1 没有 GPU 代码</translation>
  </message>
  <message>
   <source>there is no histogram yet</source>
   <translation>尚无直方图</translation>
  </message>
  <message>
   <source>there is no image</source>
   <translation>没有图像</translation>
  </message>
  <message>
   <source>there is no image in it</source>
   <translation>其中没有图像</translation>
  </message>
  <message>
   <source>there is no image to save</source>
   <translation>没有可保存的图像</translation>
  </message>
  <message>
   <source>there is no image to work on</source>
   <translation>没有可处理的图像</translation>
  </message>
  <message>
   <source>there is no operation '%1'%2; there are %3</source>
   <translation>没有运算“%1”%2；有 %3</translation>
  </message>
  <message>
   <source>there is no palette</source>
   <translation>没有调色板</translation>
  </message>
  <message>
   <source>there is no parameter '%1'%2; there are %3</source>
   <translation>没有参数“%1”%2；有 %3</translation>
  </message>
  <message>
   <source>there is no parameter '%1': this operation has none</source>
   <translation>没有参数“%1”：此运算没有参数</translation>
  </message>
  <message>
   <source>there is no parameter “%1”</source>
   <translation>没有参数“%1”</translation>
  </message>
  <message>
   <source>there is no picture</source>
   <translation>没有图像</translation>
  </message>
  <message>
   <source>there is no preset '%1'%2; there are %3</source>
   <translation>没有预设“%1”%2；有 %3</translation>
  </message>
  <message>
   <source>there is no variant '%1'; there are %2</source>
   <translation>没有变体“%1”；有 %2</translation>
  </message>
  <message>
   <source>there is no variant “%1”</source>
   <translation>没有变体“%1”</translation>
  </message>
  <message>
   <source>there is none for this architecture</source>
   <translation>此处理器架构没有这种过滤</translation>
  </message>
  <message>
   <source>these keys act on it, whatever was used last; a click that brings the focus back pins, too, but takes no pin away</source>
   <translation>无论最后用过什么，这些按键都作用于图像；取回焦点的那次单击也会固定像素，但不会取消已有的固定</translation>
  </message>
  <message>
   <source>thick line: input of step %1, %2 (luma)</source>
   <translation>粗线：步骤 %1“%2”的输入（亮度）</translation>
  </message>
  <message>
   <source>this backend is not there</source>
   <translation>没有此计算设备</translation>
  </message>
  <message>
   <source>this build has a sanitizer</source>
   <translation>此构建带有 sanitizer</translation>
  </message>
  <message>
   <source>this build has no operation %1</source>
   <translation>此构建没有运算 %1</translation>
  </message>
  <message>
   <source>this build has no peer: OpenCV was not found when it was configured</source>
   <translation>此构建没有其他库：配置时未找到 OpenCV</translation>
  </message>
  <message>
   <source>this build's libheif does not read it: %1</source>
   <translation>本构建的 libheif 不能读取：%1</translation>
  </message>
  <message>
   <source>this is no region</source>
   <translation>这不是区域</translation>
  </message>
  <message>
   <source>this is no timing result file of Warpscope (%1)</source>
   <translation>这不是 Warpscope 的用时结果文件（%1）</translation>
  </message>
  <message>
   <source>this is no timing result file of Warpscope: it must be a JSON object</source>
   <translation>这不是 Warpscope 的测时结果文件：必须是 JSON 对象</translation>
  </message>
  <message>
   <source>this kind of JPEG is not read: %1</source>
   <translation>不读取此类 JPEG：%1</translation>
  </message>
  <message>
   <source>this machine's GPU</source>
   <translation>本机的 GPU</translation>
  </message>
  <message>
   <source>this program has no code for %1 (compute capability %2.%3): %4</source>
   <translation>本程序没有适用于 %1（计算能力 %2.%3）的代码：%4</translation>
  </message>
  <message>
   <source>this program was built without CUDA</source>
   <translation>本程序构建时未含 CUDA</translation>
  </message>
  <message>
   <source>tiles have no size</source>
   <translation>图块没有大小</translation>
  </message>
  <message>
   <source>tiles of %1 x %2 pixels are far larger than the image of %3 x %4: above %5 they may be at most twice as large</source>
   <translation>%1 x %2 像素的图块远大于 %3 x %4 的图像：超过 %5 时至多可为其两倍</translation>
  </message>
  <message>
   <source>time</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>time of the right side over that of the left</source>
   <translation>右侧时间与左侧时间之比</translation>
  </message>
  <message>
   <source>times operations over sizes and places, beside other machines</source>
   <translation>在不同尺寸和位置上测量运算，可与其他机器并列</translation>
  </message>
  <message>
   <source>timing arithmetic</source>
   <translation>测量算术运算</translation>
  </message>
  <message>
   <source>timing copies</source>
   <translation>测量复制</translation>
  </message>
  <message>
   <source>timings</source>
   <translation>用时</translation>
  </message>
  <message>
   <source>timings-%1</source>
   <translation>用时-%1</translation>
  </message>
  <message>
   <source>to the edge</source>
   <translation>到边缘</translation>
  </message>
  <message>
   <source>too many symbolic links</source>
   <translation>符号链接过多</translation>
  </message>
  <message>
   <source>top-down</source>
   <translation>自上而下</translation>
  </message>
  <message>
   <source>transposed and turned by 180 degrees</source>
   <translation>转置并旋转 180 度</translation>
  </message>
  <message>
   <source>turned 90 degrees clockwise</source>
   <translation>顺时针旋转 90 度</translation>
  </message>
  <message>
   <source>turned 90 degrees counter-clockwise</source>
   <translation>逆时针旋转 90 度</translation>
  </message>
  <message>
   <source>turned by 180 degrees</source>
   <translation>旋转 180 度</translation>
  </message>
  <message>
   <source>turning it upright takes a copy: %1</source>
   <translation>转正需要一份副本：%1</translation>
  </message>
  <message>
   <source>two headers give different sizes</source>
   <translation>两个文件头给出的大小不同</translation>
  </message>
  <message>
   <source>type black and white in the inspector</source>
   <translation>在检查器中输入黑点和白点</translation>
  </message>
  <message>
   <source>unexpected error: %1</source>
   <translation>意外错误：%1</translation>
  </message>
  <message>
   <source>unknown compression</source>
   <translation>未知的压缩方式</translation>
  </message>
  <message>
   <source>unknown header line &quot;%1&quot;</source>
   <translation>未知的文件头行 &quot;%1&quot;</translation>
  </message>
  <message>
   <source>unknown key &quot;%1&quot; in the header</source>
   <translation>文件头中有未知键 &quot;%1&quot;</translation>
  </message>
  <message>
   <source>unknown machine</source>
   <translation>未知机器</translation>
  </message>
  <message>
   <source>unsigned samples of %1 bits</source>
   <translation>%1 位无符号样本</translation>
  </message>
  <message>
   <source>up to %1 x %2</source>
   <translation>至 %1 x %2</translation>
  </message>
  <message>
   <source>upload</source>
   <translation>上传</translation>
  </message>
  <message>
   <source>upload to download</source>
   <translation>上传到下载</translation>
  </message>
  <message>
   <source>uploading the image</source>
   <translation>上传图像</translation>
  </message>
  <message>
   <source>value</source>
   <translation>值</translation>
  </message>
  <message>
   <source>value (%1 bits)</source>
   <translation>值（%1 位）</translation>
  </message>
  <message>
   <source>value (float)</source>
   <translation>值（浮点）</translation>
  </message>
  <message>
   <source>value of the parameter that the series names</source>
   <translation>系列所指参数的值</translation>
  </message>
  <message>
   <source>variant</source>
   <translation>变体</translation>
  </message>
  <message>
   <source>variant %1</source>
   <translation>变体 %1</translation>
  </message>
  <message>
   <source>variant and parameters</source>
   <translation>变体与参数</translation>
  </message>
  <message>
   <source>version %1 of the NumPy format is not read</source>
   <translation>不读取 NumPy 格式版本 %1</translation>
  </message>
  <message>
   <source>vibrance, colorfulness, chroma, colour, color</source>
   <translation>鲜艳度, 色彩, 彩度, 颜色</translation>
  </message>
  <message>
   <source>virtual machine</source>
   <translation>虚拟机</translation>
  </message>
  <message>
   <source>waiting for the GPU</source>
   <translation>等待 GPU</translation>
  </message>
  <message>
   <source>warm</source>
   <translation>热</translation>
  </message>
  <message>
   <source>warm: the same input again and again</source>
   <translation>热：反复使用同一输入</translation>
  </message>
  <message>
   <source>warm: the same input again and again; cold: copies of it in turn, together larger than the cache</source>
   <translation>热：反复使用同一输入；冷：依次使用其副本，合计大于缓存</translation>
  </message>
  <message>
   <source>warning</source>
   <translation>警告</translation>
  </message>
  <message>
   <source>waterfall</source>
   <translation>瀑布图</translation>
  </message>
  <message>
   <source>what every operation computes, its parameters and variants</source>
   <translation>每种运算的计算内容、参数和变体</translation>
  </message>
  <message>
   <source>what follows the last sample was left out</source>
   <translation>最后一个样本之后的内容已忽略</translation>
  </message>
  <message>
   <source>what the steps give</source>
   <translation>步骤的结果</translation>
  </message>
  <message>
   <source>where all programs of the desktop keep theirs</source>
   <translation>与桌面其他程序的缩略图放在一起</translation>
  </message>
  <message>
   <source>white balance</source>
   <translation>白平衡</translation>
  </message>
  <message>
   <source>white level</source>
   <translation>白电平</translation>
  </message>
  <message>
   <source>width or height is missing or not a number</source>
   <translation>宽度或高度缺失或不是数字</translation>
  </message>
  <message>
   <source>with %1</source>
   <translation>与 %1</translation>
  </message>
  <message>
   <source>with curves selected: a new point; removes it</source>
   <translation>选中曲线步骤时：新增一点；删除该点</translation>
  </message>
  <message>
   <source>with its view and region, while others are looked at</source>
   <translation>连同视图和区域，同时可查看其他图像</translation>
  </message>
  <message>
   <source>with the second image</source>
   <translation>与第二图像</translation>
  </message>
  <message>
   <source>with the source</source>
   <translation>与原图</translation>
  </message>
  <message>
   <source>within %1%2</source>
   <translation>相差不超过 %1%2</translation>
  </message>
  <message>
   <source>without menus, bars and panels; Esc or the key goes back</source>
   <translation>不含菜单、工具栏和面板；Esc 或此键返回</translation>
  </message>
  <message>
   <source>would take about %1</source>
   <translation>约需 %1</translation>
  </message>
  <message>
   <source>x %1, %2 %3, pixels: %4</source>
   <translation>x %1，%2 %3，像素：%4</translation>
  </message>
  <message>
   <source>x, y</source>
   <translation>x, y</translation>
  </message>
  <message>
   <source>zoom at the cursor</source>
   <translation>在光标处缩放</translation>
  </message>
  <message>
   <source>zoom the axis, down to single values; float is counted anew</source>
   <translation>缩放坐标轴，直至单个值；浮点会重新计数</translation>
  </message>
  <message>
   <source>zoom to the selected range</source>
   <translation>缩放到所选范围</translation>
  </message>
  <message>
   <source>°</source>
   <translation>°</translation>
  </message>
  <message>
   <source>Σ</source>
   <comment>cumulative</comment>
   <translation>Σ</translation>
  </message>
  <message>
   <source>— means not timed there, by choice or without a GPU.</source>
   <translation>— 表示该处未测，因选择如此或没有 GPU。</translation>
  </message>
  <message>
   <source>— means not timed: %1 of %2 rows were not among what these results timed.</source>
   <translation>— 表示未测：%2 行中有 %1 行不在这些结果所测之列。</translation>
  </message>
  <message>
   <source>— means not timed: the experiments of the source texts were not among what these results timed.</source>
   <translation>— 表示未测：来源文献的实验不在这些结果所测之列。</translation>
  </message>
  <message>
   <source>— means that nothing was measured here yet.</source>
   <translation>— 表示此处尚未测量。</translation>
  </message>
  <message>
   <source>“%1” is no name for a step: letters, digits, _ and - are, at most 64.</source>
   <translation>“%1”不能作步骤名称：可用字母、数字、_ 和 -，至多 64 个。</translation>
  </message>
  <message>
   <source>“About 30” is the speedup as printed; the printed times give 32</source>
   <translation>“约 30”为原文的加速比；按原文时间为 32</translation>
  </message>
  <message>
   <source>← → operation     ↑ ↓ size     O opponent     Space pause     H keys     Esc leave</source>
   <translation>← → 运算     ↑ ↓ 尺寸     O 对手     空格 暂停     H 按键     Esc 退出</translation>
  </message>
 </context>
</TS>
