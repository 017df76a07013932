<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
 <context>
  <name>Warpscope</name>
  <message numerus="yes">
   <source>%1 of %n lines named; the others at the cursor</source>
   <translation type="unfinished"/>
  </message>
  <message numerus="yes">
   <source>%n more</source>
   <translation type="unfinished"/>
  </message>
  <message numerus="yes">
   <source>%n samples are not finite and left out</source>
   <translation type="unfinished"/>
  </message>
  <message numerus="yes">
   <source>sum of %n recorded steps</source>
   <translation type="unfinished"/>
  </message>
 </context>
</TS>
